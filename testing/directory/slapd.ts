/** slapd, as Debian packages it, with an empty directory. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from 'ldapts';
import type { UnpackedPackages } from '../applications/application-packages.ts';
import type { Cleanup } from '../cleanup.ts';
import { freePort } from '../servers/free-port.ts';
import { startServer } from '../servers/start-server.ts';

export interface Slapd {
  /** The address of its people, without scope and filter. */
  url: string;
  /** May read everything. */
  user: string;
  /** Gets at most two entries of any search. */
  limitedUser: string;
  token: string;
  base: string;
  /** Bound as the user who may write. */
  client: Client;
}

const suffix = 'dc=crm,dc=example';
const password = 'dialmark-demo-1';

export async function startSlapd(packages: UnpackedPackages, cleanup: Cleanup): Promise<Slapd> {
  const folder = await cleanup.addFolder('slapd');
  const port = await freePort();
  const user = `cn=admin,${suffix}`;
  const limitedUser = `cn=limited,${suffix}`;
  await mkdir(path.join(folder, 'data'));
  const schemas = ['core', 'cosine', 'inetorgperson'].map(
    (name) => `include /etc/ldap/schema/${name}.schema`,
  );
  await writeFile(
    path.join(folder, 'slapd.conf'),
    [
      ...schemas,
      ...['modulepath /usr/lib/ldap', 'moduleload back_mdb', `pidfile ${folder}/slapd.pid`],
      ...['database mdb', `suffix "${suffix}"`, `rootdn "${user}"`, `rootpw ${password}`],
      `directory ${folder}/data`,
      `limits dn.exact="${limitedUser}" size.soft=2 size.hard=2 size.prtotal=hard`,
      'access to attrs=userPassword by anonymous auth by * none',
      'access to * by users read',
      '',
    ].join('\n'),
  );
  const address = `ldap://127.0.0.1:${port}`;
  const command = packages.command('slapd', '-f', path.join(folder, 'slapd.conf'), '-h', address, '-d', '0');
  const server = await startServer(command, { ready: port, ownGroup: true });
  cleanup.add('slapd', () => server.stop());
  const client = new Client({ url: address });
  await client.bind(user, password);
  cleanup.add('the connection to slapd', () => client.unbind());
  const base = `ou=people,${suffix}`;
  await client.add(suffix, { objectClass: ['dcObject', 'organization'], o: 'CRM', dc: 'crm' });
  await client.add(base, { objectClass: 'organizationalUnit', ou: 'people' });
  await client.add(limitedUser, {
    objectClass: ['organizationalRole', 'simpleSecurityObject'],
    cn: 'limited',
    userPassword: password,
  });
  return { url: `${address}/${encodeURIComponent(base)}`, user, limitedUser, token: password, base, client };
}
