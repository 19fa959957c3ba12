/** Odoo 14 on PostgreSQL 13, as Debian packaged it, with two contacts. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Cleanup } from '../cleanup.ts';
import { freePort } from '../servers/free-port.ts';
import { startRestartable, startServer } from '../servers/start-server.ts';
import { ensureOdooPackages, odooCommand } from './odoo-packages.ts';
import { askJson, type RealCrm } from './real-crm.ts';

const password = 'admin';

/** Odoo with the data that its packages' first start left. */
async function serveOdoo(cleanup: Cleanup): Promise<{ url: string; restart(): Promise<void> }> {
  const packages = await ensureOdooPackages();
  const folder = await cleanup.addFolder('odoo');
  const state = path.join(folder, 'state');
  await promisify(execFile)('cp', ['-a', packages.state, state]);
  const port = await freePort();
  const options = [
    '--http-interface=127.0.0.1',
    `--http-port=${port}`,
    '--workers=0',
    '--max-cron-threads=0',
  ];
  const command = packages.command(state, ...odooCommand(...options));
  const start = () => startServer(command, { ready: port, ownGroup: true });
  const restart = await startRestartable('Odoo', cleanup, start, 'SIGKILL');
  return { url: `http://127.0.0.1:${port}`, restart };
}

export async function startOdoo(cleanup: Cleanup): Promise<RealCrm> {
  const { url, restart } = await serveOdoo(cleanup);
  const ask = async (service: string, method: string, ...args: unknown[]) => {
    const params = { service, method, args };
    const { result, error } = await askJson(
      `${url}/jsonrpc`,
      {},
      { jsonrpc: '2.0', method: 'call', id: 1, params },
    );
    if (error) throw new Error(`Odoo: ${JSON.stringify(error).slice(0, 300)}`);
    return result;
  };
  const userId = await ask('common', 'login', 'demo', 'admin', password);
  const execute = (model: string, method: string, args: unknown[], named: object = {}) =>
    ask('object', 'execute_kw', 'demo', userId, password, model, method, args, named);
  const addRecord = async (phone?: string) =>
    String(await execute('res.partner', 'create', [{ name: 'A contact', ...(phone ? { phone } : {}) }]));
  await execute('res.users', 'create', [{ name: 'Rui Silva', login: 'rui', email: 'rui@crm.example' }]);
  return {
    url,
    settings: { KIND: 'odoo', DATABASE: 'demo', USER: 'admin', TOKEN: password, USERS: '1105=rui' },
    pattern: '/web#id={id}&model=res.partner&view_type=form',
    kind: 'res.partner',
    records: [await addRecord(), await addRecord()],
    missing: '99999',
    who: /^Odoo 14\.0\S* as admin, database demo$/,
    readerLacks: /^write on res\.partner$/,
    isCreation: (_method, _path, body) => body.includes('"message_post"'),
    async texts(id) {
      const conditions = [
        ['model', '=', 'res.partner'],
        ['res_id', '=', Number(id)],
        ['message_type', '=', 'notification'],
      ];
      const found = await execute('mail.message', 'search_read', [conditions, ['body']], { order: 'id' });
      return found.map(({ body }: { body: string }) => asText(body));
    },
    addRecord,
    async addReader() {
      const named = [
        ['module', '=', 'base'],
        ['name', '=', 'group_user'],
      ];
      const [group] = await execute('ir.model.data', 'search_read', [named, ['res_id']]);
      const reader = {
        name: 'Reader',
        login: 'reader',
        password: 'reader-demo-1',
        email: 'reader@crm.example',
      };
      await execute('res.users', 'create', [{ ...reader, groups_id: [[6, 0, [group.res_id]]] }]);
      return { USER: reader.login, TOKEN: reader.password };
    },
    people: {
      hasOrganisation: true,
      uid: (id) => `res.partner/${id}`,
      add: async ({ organisation, ...person }) =>
        String(await execute('res.partner', 'create', [{ ...person, company_name: organisation }])),
      setPhone: (id, phone) => execute('res.partner', 'write', [[Number(id)], { phone }]),
      archive: (id) => execute('res.partner', 'write', [[Number(id)], { active: false }]),
      remove: (id) => execute('res.partner', 'unlink', [[Number(id)]]),
    },
    restart,
  };
}

/** What the connector wrote, as a browser shows it. */
const asText = (html: string) =>
  html
    .replace(/<br\s*\/?>/g, '\n')
    .replace(/<\/?p>/g, '')
    .replace(/&(lt|gt|quot|amp);/g, (_whole, name: 'lt' | 'gt' | 'quot' | 'amp') => characters[name]);
const characters = { lt: '<', gt: '>', quot: '"', amp: '&' };
