/** Tryton 6 on SQLite, as Debian packages it, with two parties. */
import { execFile } from 'node:child_process';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ensureCrmPackages } from '../applications/application-packages.ts';
import type { Cleanup } from '../cleanup.ts';
import { freePort } from '../servers/free-port.ts';
import { startRestartable, startServer } from '../servers/start-server.ts';
import { askJson, type RealCrm } from './real-crm.ts';

const password = 'dialmark-demo-1';

interface RealTryton extends RealCrm {
  merge(party: string, into: string): Promise<void>;
}

/** Tryton with an empty database. */
async function serveTryton(cleanup: Cleanup): Promise<{ url: string; restart(): Promise<void> }> {
  const packages = await ensureCrmPackages();
  const folder = await cleanup.addFolder('tryton');
  const file = (name: string) => path.join(folder, name);
  await mkdir(file('db'));
  // Tryton fills only a database that exists.
  await writeFile(file('db/demo.sqlite'), '');
  await writeFile(file('password'), `${password}\n`);
  await writeFile(file('trytond.conf'), `[database]\nuri = sqlite://\npath = ${file('db')}\n`);
  const options = ['-c', file('trytond.conf'), '-d', 'demo'];
  const modules = ['-u', 'party', 'sale_opportunity', '--activate-dependencies'];
  const [program, ...args] = packages.command(
    'trytond-admin',
    ...options,
    '--email',
    'admin@crm.example',
    ...modules,
  );
  await promisify(execFile)(program, args, { env: { ...process.env, TRYTONPASSFILE: file('password') } });
  const port = await freePort();
  await appendFile(file('trytond.conf'), `[web]\nlisten = 127.0.0.1:${port}\n`);
  const start = () => startServer(packages.command('trytond', ...options), { ready: port, ownGroup: true });
  const restart = await startRestartable('Tryton', cleanup, start);
  return { url: `http://127.0.0.1:${port}`, restart };
}

export async function startTryton(cleanup: Cleanup): Promise<RealTryton> {
  const { url, restart } = await serveTryton(cleanup);
  const ask = async (method: string, params: unknown[], headers: Record<string, string> = {}) =>
    (await askJson(`${url}/demo/`, headers, { id: 1, method, params })).result;
  const [userId, session] = await ask('common.db.login', ['admin', { password }]);
  const authorization = `Session ${Buffer.from(`admin:${userId}:${session}`).toString('base64')}`;
  const addRecord = async () => {
    const parties = [{ name: 'A party' }];
    const [id] = await ask('model.party.party.create', [parties, {}], { authorization });
    return String(id);
  };
  const change = (method: string, ...params: unknown[]) =>
    ask(`model.party.${method}`, [...params, {}], { authorization });
  return {
    url,
    settings: { KIND: 'tryton', DATABASE: 'demo', USER: 'admin', TOKEN: password },
    pattern: '/#demo/model/party.party/{id}',
    kind: 'party.party',
    records: [await addRecord(), await addRecord()],
    missing: '999',
    who: /^Tryton as admin, database demo$/,
    readerLacks: /^write on party\.party$/,
    isCreation: (_method, _path, body) => body.includes('"model.ir.note.create"'),
    addRecord,
    async addReader() {
      const create = async (model: string, values: object): Promise<number> => {
        const created = await ask(`model.${model}.create`, [[values], {}], { authorization });
        // A refusal has status 200, too.
        if (!created) throw new Error(`Tryton does not create a ${model}`);
        return created[0];
      };
      const reader = { name: 'Reader', login: 'reader', password: 'reads-Only1' };
      await create('res.user', reader);
      const [model] = await ask('model.ir.model.search', [[['model', '=', 'party.party']], 0, 1, null, {}], {
        authorization,
      });
      const group = await create('res.group', { name: 'Editors', users: [['add', [userId]]] });
      const rights = { perm_write: true, perm_create: true, perm_delete: true };
      await create('ir.model.access', { model, group, perm_read: true, ...rights });
      // The rights of users whose groups do not have their own rights.
      await create('ir.model.access', { model, perm_read: true });
      return { USER: reader.login, TOKEN: reader.password };
    },
    people: {
      hasOrganisation: false,
      uid: (id) => `party.party/${id}`,
      async add({ name, phone }) {
        const mechanisms = [['create', [{ type: 'phone', value: phone }]]];
        return String((await change('party.create', [{ name, contact_mechanisms: mechanisms }]))[0]);
      },
      async setPhone(id, phone) {
        const own = [['party', '=', Number(id)]];
        const mechanisms = await change('contact_mechanism.search', own, 0, null, null);
        await change('contact_mechanism.write', mechanisms, { value: phone });
      },
      archive: (id) => change('party.write', [Number(id)], { active: false }),
      remove: (id) => change('party.delete', [Number(id)]),
    },
    // Tryton's own wizard ends with the same change.
    merge: (party, into) =>
      change('party.write', [Number(party)], { active: false, replaced_by: Number(into) }),
    restart,
    async texts(id) {
      const conditions = [['resource', '=', `party.party,${id}`]];
      const query = [conditions, 0, 100, [['id', 'ASC']], ['message'], {}];
      const notes = await ask('model.ir.note.search_read', query, { authorization });
      return notes.map(({ message }: { message: string }) => message);
    },
  };
}
