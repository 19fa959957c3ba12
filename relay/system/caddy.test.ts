import { readFile, writeFile } from 'node:fs/promises';
import { projectFile } from '../../shared/server/project-file.ts';
import { startServer } from '../../testing/servers/start-server.ts';
import { describeProxy, impatience, type ProxySetup } from './proxy-contract.ts';

describeProxy('Caddy', startCaddy, 'relay.log');

/** docs/deploy/Caddyfile as it is, but for what belongs to a machine: address, log file, the relay's port, its own control port. */
async function startCaddy({ folder, port, relayPort }: ProxySetup) {
  const published = await readFile(projectFile('docs/deploy/Caddyfile'), 'utf8');
  const adapted = published
    .replace('\n{\n', '\n{\n\tadmin off\n\tgrace_period 1s\n')
    .replace('relay.example {', `http://127.0.0.1:${port} {`)
    .replace('127.0.0.1:8787', `127.0.0.1:${relayPort}`)
    .replace('/var/log/caddy/', `${folder.path}/`)
    .replace('read_timeout 660s', `read_timeout ${impatience}s`);
  await writeFile(folder.file('Caddyfile'), adapted);
  return startServer(['caddy', 'run', '--adapter', 'caddyfile', '--config', folder.file('Caddyfile')], {
    ready: port,
    debian: 'caddy',
    environment: { HOME: folder.path, XDG_DATA_HOME: folder.path, XDG_CONFIG_HOME: folder.path },
  });
}
