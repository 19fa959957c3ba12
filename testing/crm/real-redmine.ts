/** Redmine 5 on SQLite, as Debian packages it, with two issues. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ensureCrmPackages } from '../applications/application-packages.ts';
import type { Cleanup } from '../cleanup.ts';
import { freePort } from '../servers/free-port.ts';
import { startRestartable, startServer } from '../servers/start-server.ts';
import { until } from '../until.ts';
import { freshRequest } from './fresh-request.ts';
import { askJson, type RealCrm } from './real-crm.ts';

// Redmine sends mails from threads of its own, which would lock the database while a script writes.
const seed = `Setting.rest_api_enabled = '1'
Setting.notified_events = []
admin = User.find_by_login('admin')
admin.must_change_passwd = false
admin.save!
user = User.new(firstname: 'Rui', lastname: 'Costa', mail: 'rui@crm.example', language: 'en')
user.login = 'rui'
user.password = 'dialmark-demo-1'
user.save!
project = Project.create!(name: 'Support', identifier: 'support', trackers: Tracker.all)
Member.create!(project: project, user: user, roles: [Role.where(builtin: 0).first])
2.times do |i|
  Issue.create!(project: project, tracker: Tracker.first, author: user, status: IssueStatus.first,
    priority: IssuePriority.first, subject: "Call #{i}")
end
puts "KEY #{admin.api_key} PROJECT #{project.id}"
`;

interface RealRedmine extends RealCrm {
  /** Runs Ruby with its models: what an administrator does on pages that the REST interface has not. */
  ruby(script: string): Promise<string>;
  remove(issue: string): Promise<void>;
}

interface ServedRedmine extends Pick<RealRedmine, 'url' | 'ruby' | 'restart'> {
  /** The key of its administrator. */
  key: string;
  /** The id of the one project. */
  project: string;
}

/**
 * Redmine with what `seed` makes.
 * @param more Ruby that runs after `seed`, before the server starts.
 */
export async function serveRedmine(cleanup: Cleanup, more = ''): Promise<ServedRedmine> {
  const packages = await ensureCrmPackages();
  const folder = await cleanup.addFolder('redmine');
  for (const name of ['config', 'log', 'tmp', 'files'])
    await mkdir(path.join(folder, 'main', name), { recursive: true });
  const database = `production:\n  adapter: sqlite3\n  database: ${folder}/redmine.db\n  timeout: 60000\n`;
  await writeFile(path.join(folder, 'main/config/database.yml'), database);
  await writeFile(path.join(folder, 'main/secret_key.txt'), randomBytes(40).toString('base64'));
  await writeFile(path.join(folder, 'main/config/secret_key.txt'), randomBytes(40).toString('base64'));
  const environment = {
    REDMINE_INSTANCE: 'main',
    REDMINE_LANG: 'en',
    RAILS_ENV: 'production',
    HOME: folder,
    BUNDLE_USER_HOME: folder,
    BUNDLE_WITHOUT: 'test:development:minimagick',
    LANG: 'C.UTF-8',
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    SCHEMA: path.join(folder, 'schema.rb'),
  };
  const script = 'mount --bind "$1" /var/lib/redmine && cd /usr/share/redmine && shift && exec "$@"';
  const command = (...args: string[]) =>
    packages.command('sh', '-c', script, 'sh', folder, 'ruby', '/usr/bin/bundle', 'exec', ...args);
  const run = (...args: string[]) => {
    const [program, ...rest] = command(...args);
    const options = { env: { ...process.env, ...environment }, maxBuffer: 64 * 1024 * 1024 };
    return promisify(execFile)(program, rest, options);
  };
  await run('rake', 'db:migrate');
  await run('rake', 'redmine:load_default_data');
  const ruby = async (script: string) => {
    await writeFile(path.join(folder, 'script.rb'), script);
    return (await run('rails', 'runner', path.join(folder, 'script.rb'))).stdout;
  };
  const stdout = await ruby(seed + more);
  const [, key, project] = /^KEY (\w+) PROJECT (\d+)$/m.exec(stdout)!;
  const port = await freePort();
  const start = () =>
    startServer(command('thin', '-a', '127.0.0.1', '-p', String(port), 'start'), {
      ready: port,
      ownGroup: true,
      environment,
    });
  const restart = await startRestartable('Redmine', cleanup, start);
  const url = `http://127.0.0.1:${port}`;
  await until(() => fetch(`${url}/login`).then(({ ok }) => ok), "Redmine's first page");
  return { url, key: key!, project: project!, ruby, restart };
}

export async function startRedmine(cleanup: Cleanup): Promise<RealRedmine> {
  const { url, key, project, ruby, restart } = await serveRedmine(cleanup);
  const headers = { 'x-redmine-api-key': key };
  return {
    url,
    settings: { KIND: 'redmine', TOKEN: key, USERS: '1105=rui' },
    pattern: '/issues/{id}',
    kind: 'issue',
    records: ['1', '2'],
    missing: '999',
    who: /^Redmine as admin, who may write as the agents$/,
    readerLacks: /^"Add notes" in Support for reader$/,
    isCreation: (method) => method === 'PUT',
    async addRecord() {
      const issue = { project_id: project, subject: 'A call' };
      return String((await askJson(`${url}/issues.json`, headers, { issue })).issue.id);
    },
    ruby,
    async addReader() {
      const key =
        await ruby(`reader = User.new(firstname: 'A', lastname: 'Reader', mail: 'reader@crm.example')
reader.login = 'reader'
reader.password = 'reader-demo-1'
reader.save!
role = Role.create!(name: 'Readers', permissions: [:view_issues])
Member.create!(project: Project.find(${project}), user: reader, roles: [role])
puts reader.api_key`);
      return { TOKEN: key.trim().split('\n').at(-1)!, USERS: '' };
    },
    async remove(issue) {
      await freshRequest(`${url}/issues/${issue}.json`, { method: 'DELETE', headers });
    },
    restart,
    async texts(id) {
      const { issue } = await askJson(`${url}/issues/${id}.json?include=journals`, headers);
      return issue.journals.map(({ notes }: { notes: string }) => notes.replaceAll('\r', ''));
    },
  };
}
