import { spawnSync } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { projectFile } from '../../shared/server/project-file.ts';
import { relayProgram } from '../../testing/relay/relay-process.ts';
import { ask, startTestRelay } from '../../testing/relay/test-relay.ts';
import { startServer } from '../../testing/servers/start-server.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const folder = await temporaryFolder();
afterAll(folder.remove);

const published = (name: string) => readFile(projectFile(`docs/deploy/${name}`), 'utf8');
/** @throws Error with its words where it is missing or fails. */
function run(
  program: string,
  args: readonly string[],
  options: { cwd?: string; debian?: string } = {},
): string {
  const { error, status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', cwd: options.cwd });
  if (error)
    throw new Error(
      `${program} is needed for this test (${error.message}); on Debian: apt-get install ${options.debian}`,
    );
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')} exited with ${status}:\n${stdout}${stderr}`);
  return stdout + stderr;
}
const systemdAnalyze = (...args: string[]) => run('systemd-analyze', args, { debian: 'systemd' });

/** Lines of systemd's verification about this unit; what it finds in the units of the machine is not ours. */
function complaintsOf(file: string): string[] {
  const { error, status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], {
    encoding: 'utf8',
  });
  if (error) throw new Error(`systemd-analyze is needed for this test (${error.message})`);
  const lines = `${stdout}${stderr}`.split('\n').filter((line) => line !== '');
  const ours = lines.filter((line) => line.includes(path.basename(file)));
  return status !== 0 && lines.length === 0 ? [`systemd-analyze exited with ${status}`] : ours;
}

describe('the systemd unit as documented', () => {
  const valuesOf = (unit: string, name: string) =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!);

  it.each(['dialmark-relay.service', 'dialmark-pbx.service'])(
    '%s passes systemd’s verification with little exposure',
    async (name) => {
      const unit = await published(name);
      const file = folder.file(name);
      await writeFile(file, unit.replaceAll('/usr/bin/node', process.execPath));
      expect(complaintsOf(file)).toEqual([]);
      // Exits with an error above 2.0; a service with none of this has 9.6.
      systemdAnalyze('security', '--offline=true', '--threshold=20', file);
    },
  );

  it('is verified whatever is wrong with other units of the machine', async () => {
    const others = folder.file('units');
    await mkdir(others);
    await writeFile(path.join(others, 'network-online.target'), '[Unit]\nNonsense=other\n');
    // The colon at its end adds systemd's own folders.
    vi.stubEnv('SYSTEMD_UNIT_PATH', `${others}:`);
    const file = folder.file('dialmark-other.service');
    const unit = await published('dialmark-relay.service');
    const good = unit.replaceAll('/usr/bin/node', process.execPath);
    await writeFile(file, good);
    expect(complaintsOf(file)).toEqual([]);
    await writeFile(file, good.replace('[Service]', '[Service]\nNonsense=ours'));
    expect(complaintsOf(file)).toEqual([expect.stringContaining('Nonsense')]);
    await writeFile(file, good.replaceAll(process.execPath, '/no/node'));
    expect(complaintsOf(file)).toEqual([expect.stringContaining('/no/node')]);
    vi.unstubAllEnvs();
  });

  it('names the same store for the command line beside it', async () => {
    const unit = await published('dialmark-relay.service');
    const [store] = valuesOf(unit, 'Environment').filter((value) => value.startsWith('DIALMARK_STORE='));
    expect(unit).toContain(`#     -E ${store} ${valuesOf(unit, 'ExecStart')[0]} key add`);
  });

  it('allows every system call that the relay makes', async () => {
    const unit = await published('dialmark-relay.service');
    const groups = readGroups(systemdAnalyze('syscall-filter', '--no-pager'));
    const allowed = new Set<string>();
    for (const filter of valuesOf(unit, 'SystemCallFilter')) {
      const without = filter.startsWith('~');
      const names = filter.replace('~', '').split(' ');
      for (const call of names.flatMap((name) => expand(groups, name)))
        if (without) allowed.delete(call);
        else allowed.add(call);
    }
    // SQLite passes a file's owner on to its log, but only where it runs as root.
    if (process.getuid?.() === 0) allowed.add('fchown');
    const counts = folder.file('system-calls');
    const program = relayProgram;
    // -D: the relay is our child, and strace one of its own; -c -U name: a list of the calls at the end.
    const relay = await startServer(
      ['strace', '-D', '-f', '-c', '-U', 'name', '-o', counts, process.execPath, program],
      {
        ready: 'listening on',
        debian: 'strace',
        environment: { DIALMARK_LISTEN: '127.0.0.1:0', DIALMARK_STORE: `sqlite:${folder.file('traced.db')}` },
      },
    );
    const [, url] = /^listening on (\S+)$/m.exec(relay.output())!;
    expect((await ask(url!, '/readyz')).status).toBe(200);
    await relay.stop();
    const made = (await readFile(counts, 'utf8')).split('\n').filter((line) => /^[a-z]\w+$/.test(line));
    expect(made).toEqual(expect.arrayContaining(['execve', 'listen', 'openat', 'pwrite64']));
    expect(made.filter((call) => call !== 'syscall' && call !== 'total' && !allowed.has(call))).toEqual([]);
  });
});

/** `systemd-analyze syscall-filter` prints a name of a group at the margin and its members below. */
function readGroups(text: string): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  let members: string[] = [];
  for (const line of text.split('\n').map((each) => each.replace(/#.*/, '').trimEnd()))
    if (/^@/.test(line)) {
      members = [];
      groups.set(line, members);
    } else if (/^ +\S/.test(line)) members.push(line.trim());
  return groups;
}

function expand(groups: ReadonlyMap<string, readonly string[]>, name: string): string[] {
  return name.startsWith('@') ? groups.get(name)!.flatMap((member) => expand(groups, member)) : [name];
}

describe('the Containerfile as documented', () => {
  it('builds a healthy relay from the files that it copies alone', async () => {
    const [build, image] = stagesOf(await published('Containerfile'));
    // What `npm ci` would install is installed already.
    const workshop = folder.file('build');
    await mkdir(workshop);
    await symlink(projectFile('node_modules'), path.join(workshop, 'node_modules'));
    for (const [sources, to] of copiesOf(build!))
      for (const source of sources)
        await cp(projectFile(source), path.resolve(workshop, to, to === './' ? source : ''), {
          recursive: true,
        });
    const [, command] = /^RUN (node .*?) && npm prune --omit=dev/m.exec(build!)!;
    const [program, ...args] = command!.split(' ');
    run(program!, args, { cwd: workshop });

    const app = folder.file('app');
    await mkdir(app);
    for (const [[source], to] of copiesOf(image!)) {
      const name = source!.replace('/app/', '');
      if (name === 'node_modules') await symlink(projectFile(name), path.join(app, name));
      else
        await cp(path.join(workshop, name), path.resolve(app, to, to === './' ? name : ''), {
          recursive: true,
        });
    }
    const environment = Object.fromEntries(
      [...image!.matchAll(/(?<=^ENV .*)\b([A-Z_]+)=(\S+)/gm)].map(([, name, value]) => [name, value]),
    );
    expect(environment).toMatchObject({
      NODE_ENV: 'production',
      DIALMARK_LISTEN: '0.0.0.0:8787',
      DIALMARK_STORE: 'sqlite:/data/relay.db',
    });
    const [serve] = [...image!.matchAll(/^CMD (.*)$/gm)].map(([, words]) => JSON.parse(words!) as [string]);
    const relay = await startServer(serve!, {
      ready: 'listening on',
      debian: 'nodejs',
      folder: app,
      environment: {
        ...environment,
        DIALMARK_LISTEN: '127.0.0.1:0',
        DIALMARK_STORE: `sqlite:${folder.file('data.db')}`,
      },
    });
    const [, url] = /^listening on (\S+)$/m.exec(relay.output())!;
    expect((await ask(url!, '/widget.js')).status).toBe(200);
    const [, check] = /^HEALTHCHECK .*CMD (.*)$/m.exec(image!)!;
    const healthy = () => {
      const [node, ...words] = JSON.parse(check!) as string[];
      run(
        node!,
        words.map((word) => word.replace('http://127.0.0.1:8787', url!)),
      );
    };
    healthy();
    await relay.stop();
    expect(relay.process.exitCode).toBe(0);
    expect(healthy).toThrow('exited with 1');
  });
});

const stagesOf = (containerfile: string) =>
  containerfile
    .replace(/^#.*\n/gm, '')
    .replace(/ *\\\n */g, ' ')
    .split(/^FROM .*$/m)
    .slice(1);

/** Sources and destination of each COPY. */
const copiesOf = (stage: string): [string[], string][] =>
  [...stage.matchAll(/^COPY (?:--from=build )?(.*) (\S+)$/gm)].map(([, sources, to]) => [
    sources!.split(' '),
    to!,
  ]);

describe('the alert rules as documented', () => {
  it('name only metrics that the relay has', async () => {
    const relay = await startTestRelay({
      FORWARD_URL: 'http://127.0.0.1:9/hook',
      FORWARD_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
      CRM_RT_KIND: 'rt',
      CRM_RT_URL: 'http://127.0.0.1:9',
      CRM_RT_TOKEN: 'token',
      COUNTRY: 'BR',
      DIRECTORY_PEOPLE_KIND: 'csv',
      DIRECTORY_PEOPLE_URL: folder.file('people.csv'),
    });
    const { text } = await relay.ask('/metrics');
    await relay.stop();
    const has = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    // The calling service has rules of its own in the same file.
    const named = (await published('prometheus-alerts.yml')).match(/\bdialmark_(?!pbx_)\w+/g)!;
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !has.has(name.replace(/_bucket$/, '')))).toEqual([]);
  });
});
