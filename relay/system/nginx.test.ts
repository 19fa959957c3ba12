import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { projectFile } from '../../shared/server/project-file.ts';
import { startServer } from '../../testing/servers/start-server.ts';
import { describeProxy, impatience, type ProxySetup } from './proxy-contract.ts';

describeProxy('nginx', startNginx, 'dialmark.log');

/** docs/deploy/nginx.conf as it is, but for what belongs to a machine: port, certificate, log files, the relay's port. */
async function startNginx({ folder, port, relayPort }: ProxySetup) {
  const published = await readFile(projectFile('docs/deploy/nginx.conf'), 'utf8');
  const adapted = published
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replace(/^ {2}ssl_.*$/gm, '')
    .replace('server 127.0.0.1:8787;', `server 127.0.0.1:${relayPort};`)
    .replaceAll('/var/log/nginx/', `${folder.path}/`)
    .replace('proxy_read_timeout 60s;', `proxy_read_timeout ${impatience}s;`);
  await mkdir(folder.file('temporary'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder.path}/temporary;`)
    .join('\n');
  await writeFile(
    folder.file('nginx.conf'),
    `daemon off; pid ${folder.path}/nginx.pid; error_log stderr;
     events { worker_connections 1000; }
     http { ${temporary}
     ${adapted} }`,
  );
  return startServer(['nginx', '-p', folder.path, '-c', folder.file('nginx.conf')], {
    ready: port,
    debian: 'nginx-light',
  });
}
