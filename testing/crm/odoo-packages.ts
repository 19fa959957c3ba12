/**
 * Gets Odoo 14 and PostgreSQL 13 from Debian's older suite. They do not run on the machine's own libraries. So their
 * folder is a root with everything that they need. Its database stays in the cache, because making it takes half a
 * minute.
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { applicationsCache } from '../applications/application-packages.ts';
import { unpackFromSuite } from '../debian-packages.ts';

const run = promisify(execFile);

/** The fewest packages with which Odoo, PostgreSQL and a shell start. */
const packages = ['odoo-14', 'postgresql-13', 'bash', 'coreutils', 'libc-bin', 'sed', 'grep'];

interface OdooPackages {
  /** The initialised database. It is copied with `cp -a`, and never used in place. */
  state: string;
  /**
   * A shell command with PostgreSQL running on a copy of the state. It sees the copy as `/srv` and has its
   * own processes.
   */
  command(state: string, ...command: readonly string[]): [string, ...string[]];
}

const users = [
  'root:x:0:0::/root:/bin/bash',
  'postgres:x:7001:7001::/srv/pgdata:/bin/bash',
  'odoo:x:7002:7002::/srv/odoo:/bin/bash',
];

/**
 * Starts PostgreSQL in the background, then the command in the foreground. When the command ends, all its processes
 * end. `fsync=off` is safe, because the copy is removed after the test.
 */
const script = `
set -e
root="$1"; state="$2"; shift 2
mount --bind /dev "$root/dev"; mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/tmp"; mount -t tmpfs tmpfs "$root/run"; chmod 1777 "$root/tmp" "$root/run"
mount --bind "$state" "$root/srv"
rm -f "$state/pgdata/postmaster.pid"
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LC_ALL=C.UTF-8
chroot --userspec=7001:7001 "$root" /usr/lib/postgresql/13/bin/postgres -D /srv/pgdata \\
  -c listen_addresses= -c unix_socket_directories=/run -c fsync=off >"$state/postgres.log" 2>&1 &
until chroot --userspec=7001:7001 "$root" /usr/lib/postgresql/13/bin/pg_isready -q -h /run; do sleep 0.1; done
exec chroot --userspec=7002:7002 "$root" "$@"
`;

/** @throws Error saying what is missing and how to get it. */
export async function ensureOdooPackages(): Promise<OdooPackages> {
  const cache = path.join(await applicationsCache(), 'odoo-14');
  const root = path.join(cache, 'root');
  const state = path.join(cache, 'initialised');
  if (process.platform !== 'linux' || spawnSync('apt-get', ['--version']).status !== 0)
    throw new Error('Odoo: expected a Debian with apt-get, which can download it');
  if (process.getuid?.() !== 0 || spawnSync('unshare', ['-m', '-p', '-f', 'true']).status !== 0)
    throw new Error('Odoo: expected root, and namespaces of mounts and processes (unshare -m -p)');
  const command: OdooPackages['command'] = (own, ...args) =>
    [...['unshare', '-m', '-p', '--fork', '--kill-child', 'sh', '-c', script, 'sh', root, own], ...args] as [
      string,
      ...string[],
    ];
  try {
    await ensureRoot(cache, root);
    if (!existsSync(state)) await initialise(root, state, command);
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    const reason = (stderr || message).trim().split('\n').at(-1);
    throw new Error(`Odoo: expected Debian's packages odoo-14 and postgresql-13 of bullseye; ${reason}`);
  }
  return { state, command };
}

async function ensureRoot(cache: string, root: string): Promise<void> {
  const complete = path.join(cache, 'complete');
  if (existsSync(complete)) return;
  // What an interrupted run left.
  await rm(root, { recursive: true, force: true });
  const options = ['--download-only', '-y', '--no-install-recommends'];
  await unpackFromSuite('bullseye', cache, root, ['install', ...options, ...packages], false);
  for (const folder of ['proc', 'dev', 'tmp', 'run', 'srv'])
    await mkdir(path.join(root, folder), { recursive: true });
  if (!existsSync(path.join(root, 'bin/sh'))) await symlink('bash', path.join(root, 'bin/sh'));
  await writeFile(path.join(root, 'etc/passwd'), `${users.join('\n')}\n`);
  const groups = users.map((user) => user.replace(/^(\w+):x:(\d+):.*$/, '$1:x:$2:'));
  await writeFile(path.join(root, 'etc/group'), `${groups.join('\n')}\n`);
  for (const name of ['hosts', 'nsswitch.conf'])
    await cp(path.join('/etc', name), path.join(root, 'etc', name));
  await run('ldconfig', ['-r', root]);
  await writeFile(complete, '');
}

/** Makes the database with contacts and leads. It is moved into place at the end, so that it is never half made. */
async function initialise(root: string, state: string, command: OdooPackages['command']): Promise<void> {
  const made = `${state}.new`;
  await rm(made, { recursive: true, force: true });
  for (const [name, user] of [
    ['pgdata', '7001'],
    ['odoo', '7002'],
  ] as const) {
    await mkdir(path.join(made, name), { recursive: true });
    await run('chown', [`${user}:${user}`, path.join(made, name)]);
  }
  const initdb =
    'mount --bind "$2" "$1/srv" && mount --bind /dev "$1/dev" && exec chroot --userspec=7001:7001 "$1" ';
  const postgres = '/usr/lib/postgresql/13/bin';
  const options = '-D /srv/pgdata -A trust -E UTF8 --locale=C.UTF-8 -U odoo';
  const environment = { ...process.env, LC_ALL: 'C.UTF-8' };
  const initial = ['-m', 'sh', '-c', `${initdb}${postgres}/initdb ${options}`, 'sh', root, made];
  await run('unshare', initial, { env: environment });
  const [program, ...args] = command(
    made,
    ...odooCommand('-i', 'contacts,crm', '--without-demo=all', '--stop-after-init'),
  );
  await run(program, args, { maxBuffer: 64 * 1024 * 1024 });
  await rename(made, state);
}

/** Odoo on the state that it sees as `/srv`. */
export const odooCommand = (...options: readonly string[]): readonly string[] => [
  '/usr/bin/odoo',
  ...['--data-dir=/srv/odoo', '--db_host=/run', '--db_user=odoo', '-d', 'demo', '--log-level=warn'],
  ...options,
];
