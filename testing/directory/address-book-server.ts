/** Radicale and Xandikos, as Debian packages them, each with an empty address book. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { UnpackedPackages } from '../applications/application-packages.ts';
import type { Cleanup } from '../cleanup.ts';
import { freePort } from '../servers/free-port.ts';
import { startServer } from '../servers/start-server.ts';
import { removeFolder } from '../temporary-folder.ts';

export interface AddressBookServer {
  /** The address of the address book. */
  url: string;
  user: string;
  token: string;
  put(name: string, card: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Forgets what changed before. */
  forgetTokens(): Promise<void>;
}

const user = 'ana';
const password = 'dialmark-demo-1';
const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

async function request(url: string, method: string, body?: string, type = 'text/vcard'): Promise<void> {
  const { ok, status } = await fetch(url, {
    method,
    headers: { authorization, 'content-type': `${type}; charset=utf-8` },
    ...(body === undefined ? {} : { body }),
  });
  if (!ok) throw new Error(`${method} ${url}: HTTP ${status}`);
}

const serverAt = (url: string, forgetTokens: () => Promise<void>): AddressBookServer => ({
  ...{ url, user, token: password, forgetTokens },
  put: (name, card) => request(`${url}${name}.vcf`, 'PUT', card),
  remove: (name) => request(`${url}${name}.vcf`, 'DELETE'),
});

const makeBook =
  '<?xml version="1.0"?><D:mkcol xmlns:D="DAV:" ' +
  'xmlns:C="urn:ietf:params:xml:ns:carddav"><D:set><D:prop><D:resourcetype>' +
  '<D:collection/><C:addressbook/></D:resourcetype></D:prop></D:set></D:mkcol>';

export async function startRadicale(
  packages: UnpackedPackages,
  cleanup: Cleanup,
): Promise<AddressBookServer> {
  const folder = await cleanup.addFolder('radicale');
  const port = await freePort();
  await writeFile(path.join(folder, 'users'), `${user}:${password}\n`);
  await writeFile(
    path.join(folder, 'config'),
    `[server]\nhosts = 127.0.0.1:${port}\n[auth]\ntype = htpasswd\nhtpasswd_filename = ${folder}/users\n` +
      `htpasswd_encryption = plain\n[storage]\nfilesystem_folder = ${folder}/books\n`,
  );
  const command = packages.command('radicale', '-C', path.join(folder, 'config'));
  const server = await startServer(command, { ready: port, ownGroup: true });
  cleanup.add('Radicale', () => server.stop());
  const url = `http://127.0.0.1:${port}/${user}/book/`;
  await request(url, 'MKCOL', makeBook, 'application/xml');
  const tokens = path.join(folder, `books/collection-root/${user}/book/.Radicale.cache/sync-token`);
  return serverAt(url, () => removeFolder(tokens));
}

/** Xandikos does not ask for a password. */
export async function startXandikos(
  packages: UnpackedPackages,
  cleanup: Cleanup,
): Promise<AddressBookServer> {
  const folder = await cleanup.addFolder('xandikos');
  const port = await freePort();
  await mkdir(path.join(folder, 'home'));
  const command = packages.command(
    'xandikos',
    ...['-d', path.join(folder, 'books'), '-l', '127.0.0.1', '-p', String(port)],
    ...['--autocreate', '--defaults', '--current-user-principal', `/${user}/`],
  );
  const server = await startServer(command, {
    ready: port,
    ownGroup: true,
    environment: { HOME: path.join(folder, 'home') },
  });
  cleanup.add('Xandikos', () => server.stop());
  return serverAt(`http://127.0.0.1:${port}/${user}/contacts/addressbook/`, async () => {});
}
