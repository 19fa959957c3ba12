/** Request Tracker 5 on SQLite, with tickets of ours, as Debian packages it. */
import { execFile } from 'node:child_process';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Tab } from '../browsers/browser.ts';
import type { Cleanup } from '../cleanup.ts';
import { freePort } from '../servers/free-port.ts';
import { startRestartable, startServer } from '../servers/start-server.ts';
import { until } from '../until.ts';
import type { UnpackedPackages } from './application-packages.ts';
import { mails } from './mails.ts';
import { people } from './people.ts';

interface RequestTracker {
  url(path: string, host?: string): string;
  logIn(tab: Tab, host: string): Promise<void>;
  /** Runs a script with its library. @returns what that prints. */
  perl(script: string): Promise<string>;
  /** Kills it, and starts it again on the same data. */
  restart(): Promise<void>;
}

/** Starts it with a ticket for each of our mails, numbered from 1. A custom field has the phone of a person. */
export async function startRequestTracker(
  packages: UnpackedPackages,
  cleanup: Cleanup,
): Promise<RequestTracker> {
  const folder = await cleanup.addFolder('request-tracker');
  for (const name of ['mason', 'session', 'local']) await mkdir(path.join(folder, name));
  const site = path.join(folder, 'RT_SiteConfig.pm');
  await writeFile(site, configuration(folder));
  const data = path.join(folder, 'tickets.pl');
  await writeFile(data, initialData());
  const environment = { RT_SITE_CONFIG: site };
  const run = (...command: [string, ...string[]]) => {
    const [program, ...rest] = packages.command(...command);
    return promisify(execFile)(program, rest, { env: { ...process.env, ...environment } });
  };
  const setUp = (...args: string[]) => run('rt-setup-database-5', ...args);
  await setUp('--action', 'init', '--skip-create', '--datadir', '/usr/share/request-tracker5/etc');
  await setUp('--action', 'insert', '--datafile', data);
  const port = await freePort();
  await appendFile(site, `Set($WebPort, ${port});\n1;\n`);
  const program = '/usr/share/request-tracker5/libexec/rt-server';
  const options = [
    '--server',
    'Starlet',
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--max-workers',
    '3',
  ];
  const start = () =>
    startServer(packages.command(program, ...options), { ready: port, ownGroup: true, environment });
  const restart = await startRestartable('Request Tracker', cleanup, start);
  // The first page compiles every template.
  await until(() => fetch(`http://127.0.0.1:${port}/`).then(({ ok }) => ok), "Request Tracker's first page");
  const url = (page: string, host = '127.0.0.1') => `http://${host}:${port}${page}`;
  return {
    url,
    async perl(script) {
      const library = '-I/usr/share/request-tracker5/lib';
      return (await run('perl', library, '-MRT=-init', '-MRT::AuthToken', '-e', script)).stdout;
    },
    logIn: (tab, host) => logIn(tab, url('/', host)),
    restart,
  };
}

const perl = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** A file for the loader of Request Tracker. */
const initialData = () => `use utf8;
our @CustomFields = (
  { Name => 'Telefone', Type => 'FreeformSingle', LookupType => 'RT::Queue-RT::Ticket', MaxValues => 1, Queue => 0 },
  { Name => 'Contrato', Type => 'FreeformSingle', LookupType => 'RT::Queue-RT::Ticket', MaxValues => 1, Queue => 0 },
);
our @Final = (sub {
  RT->Config->Set(RecordOutgoingEmail => 0);
  my @tickets = (
${mails
  .map(
    ({ subject, type, body }, index) =>
      `    [${[subject, `text/${type}`, body, people[index]!.phone, people[index]!.order].map(perl).join(', ')}],`,
  )
  .join('\n')}
  );
  for my $each (@tickets) {
    my ($subject, $type, $body, $phone, $contract) = @$each;
    my $mime = MIME::Entity->build(Subject => Encode::encode('UTF-8', $subject), Type => $type, Charset => 'UTF-8',
      Data => [Encode::encode('UTF-8', $body)]);
    my $ticket = RT::Ticket->new(RT->SystemUser);
    my ($id, undef, $message) = $ticket->Create(Queue => 'General', Subject => $subject, MIMEObj => $mime);
    die $message unless $id;
    $ticket->AddCustomFieldValue(Field => 'Telefone', Value => $phone);
    $ticket->AddCustomFieldValue(Field => 'Contrato', Value => $contract);
  }
});
1;
`;

const configuration = (folder: string) => `use utf8;
Set($rtname, 'crm');
Set($Organization, 'crm.example');
Set($WebDomain, '127.0.0.1');
Set($WebPath, '');
Set($DatabaseType, 'SQLite');
Set($DatabaseName, '${folder}/rt.db');
Set($WebSecureCookies, 0);
Set($LogToSyslog, undef);
Set($LogToSTDERR, 'warning');
Set($MailCommand, 'testfile');
Set($RestrictReferrer, 0);
$RT::VarPath = '${folder}';
$RT::MasonDataDir = '${folder}/mason';
$RT::MasonSessionDir = '${folder}/session';
$RT::MasonLocalComponentRoot = '${folder}/local';
1;
`;

async function logIn(tab: Tab, address: string): Promise<void> {
  await tab.goto(address);
  await tab.fill('input[name=user]', 'root');
  await tab.fill('input[name=pass]', 'password');
  await tab.press('Enter');
  // A page that is being left cannot be asked.
  await until(
    () => tab.count('#li-logout, #logout, a[href*=Logout]').catch(() => 0),
    'the page after the login',
  );
}
