/** Names of a running relay, and the commands beside it. */
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RelayProcess, runRelayCommand, startRelayProcess } from '../../testing/relay/relay-process.ts';
import { announce, ask } from '../../testing/relay/test-relay.ts';
import { serveAsync } from '../../testing/servers/serve-async.ts';
import { type TemporaryFolder, temporaryFolder } from '../../testing/temporary-folder.ts';
import { until } from '../../testing/until.ts';

let folder: TemporaryFolder;
let relay: RelayProcess;
let agent: string;
const run = (...args: string[]) => relay.run('directory', ...args);
const write = (...people: string[]) =>
  writeFile(folder.file('people.csv'), ['Name,Company,Phone,Mobile', ...people].join('\n'));
const ana = 'Ana Prado,Acme,(48) 3322-4455,(48) 99999-8888';
const rui = 'Rui Costa,Acme,1106,';

beforeAll(async () => {
  folder = await temporaryFolder();
  await write(ana, rui);
  relay = await startRelayProcess({
    STORE: `sqlite:${folder.file('relay.db')}`,
    COUNTRY: 'BR',
    DIRECTORY_PEOPLE_KIND: 'csv',
    DIRECTORY_PEOPLE_URL: folder.file('people.csv'),
  });
  agent = (await relay.run('key', 'add', '--from', '1105')).stdout.trim();
});
afterAll(async () => {
  await relay.stop();
  await folder.remove();
});

const nameOf = async (number: string): Promise<string | undefined> =>
  (await ask(relay.url, '/v1/numbers/status', { as: agent, body: { numbers: [number] } })).body.numbers[0]
    .names[0]?.name;
const isNamed = (number: string, name: string | undefined) =>
  until(async () => (await nameOf(number)) === name, `${number} to be ${name}`, 60_000);

describe('the directory of a running relay', () => {
  it('is listed or shown by its commands', async () => {
    await isNamed('+5548999998888', 'Ana Prado');
    const { stdout } = await run('list');
    expect(stdout).toMatch(/^people\tcsv\t2 entries\t\d{4}-\S+Z\t0 not read\t\n$/);
    expect((await run('show', '(48) 9999-8888')).stdout).toBe('people\tAna Prado\tAcme\t\tMobile\n');
    expect((await run('show', '1106')).stdout).toContain('Rui Costa');
    const unknown = await run('show', '4833229999');
    expect([unknown.code, unknown.stderr.trim()]).toEqual([1, '+554833229999: no source has it']);
  });

  it.each(['show', 'allow'])('refuses a name instead of a number in `directory %s`', async (command) => {
    const { code, stdout, stderr } = await run(command, 'Ana');
    expect([code, stdout, stderr.trim()]).toEqual([2, '', 'expected a number of at least 3 digits']);
  });

  it('is synced beside the relay, which notices', async () => {
    expect((await run('sync')).stdout).toBe('people: 0 changed, 0 removed, 2 entries, 0 numbers not read\n');
    expect((await run('sync', '--full')).stdout).toContain('people: 2 changed');
    const unknown = await run('sync', 'nothing');
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      expect.stringContaining('nothing: expected a source that `directory list` shows'),
    ]);
  });

  it('forgets a number for good, until it is allowed again', async () => {
    await announce(
      relay.url,
      (await relay.run('key', 'add', '--from', '1107', '--client-calls')).stdout.trim(),
      '1106',
    );
    const { stdout } = await relay.run('forget', '--number', '+55 48 99999-8888', '--yes');
    expect(stdout).toBe('0 calls forgotten\n1 name forgotten\n');
    await isNamed('+5548999998888', undefined);
    expect(await nameOf('+554833224455')).toBe('Ana Prado');
    await write(ana, rui, 'Eva Luz,Acme,1108,+34 912 345 678');
    await isNamed('1108', 'Eva Luz');
    expect(await nameOf('+5548999998888')).toBeUndefined();
    const foreign = await relay.run('forget', '--number', '+34 912 345 678');
    expect(foreign.stdout).toBe('0 calls forgotten\n1 name forgotten\n');
    await isNamed('+34912345678', undefined);
    expect((await run('allow', '48 99999-8888')).stdout).toBe(
      '+5548999998888 may come back with the next sync\n',
    );
    await run('sync');
    await isNamed('+5548999998888', 'Ana Prado');
  });

  it('is tried by `check`', async () => {
    expect((await relay.run('check')).stdout).toContain('ok   names of people: 3 rows\n');
    await write('Eva');
    await writeFile(folder.file('people.csv'), 'a,b\n1,2\n');
    expect((await relay.run('check')).stdout).toMatch(
      /^FAIL names of people: expected a first row with headings .*it has: a, b \(DIALMARK_DIRECTORY_PEOPLE_…\)$/m,
    );
    const { code, stdout } = await run('sync');
    expect([code, stdout]).toEqual([1, expect.stringContaining('people: expected a first row')]);
    expect(await nameOf('1106')).toBe('Rui Costa');
  });
});

it('lists how many cards a server leaves out of its answers', async () => {
  const body = (parts: string) =>
    `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:carddav">${parts}</d:multistatus>`;
  const ana =
    '<d:response><d:href>/book/ana.vcf</d:href><d:propstat><d:prop><d:getetag>"1"</d:getetag></d:prop>' +
    '<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>';
  const server = await serveAsync(async (request, response) => {
    const asked = String(Buffer.concat(await request.toArray()));
    const isOfCards = asked.includes('addressbook-multiget');
    response.writeHead(207).end(body(isOfCards ? '' : `${ana}<d:sync-token>t1</d:sync-token>`));
  });
  const environment = {
    LISTEN: '127.0.0.1:0',
    STORE: `sqlite:${folder.file('book.db')}`,
    DIRECTORY_BOOK_KIND: 'carddav',
    DIRECTORY_BOOK_URL: `${server.url}/book/`,
    DIRECTORY_BOOK_COUNTRY: 'BR',
  };
  await runRelayCommand(['key', 'add', '--from', '1105', '--create'], environment);
  const gaps = 'it leaves out 1 of its entries, which stay as they were known';
  const { stdout } = await runRelayCommand(['directory', 'sync'], environment);
  expect(stdout).toBe(`book: 0 changed, 0 removed, 0 entries, 0 numbers not read, ${gaps}\n`);
  expect((await runRelayCommand(['directory', 'list'], environment)).stdout).toContain(`not read\t${gaps}\n`);
  await server.close();
}, 60_000);
