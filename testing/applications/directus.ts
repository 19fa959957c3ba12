/** Starts Directus on MariaDB with our people in a table, cards, a board, forms and a dashboard. */
import { startMariaDb } from '../../registration/testing/mariadb.ts';
import type { Tab } from '../browsers/browser.ts';
import { startChild } from '../child.ts';
import type { Cleanup } from '../cleanup.ts';
import { ensureNodeLts } from '../node-lts.ts';
import { freePort } from '../servers/free-port.ts';
import { startServer } from '../servers/start-server.ts';
import { until } from '../until.ts';
import { ensureDirectus } from './directus-package.ts';
import { fillDirectus, type View } from './directus-people.ts';

/** The first page loads hundreds of files. */
const firstPageMs = 120_000;
const login = { email: 'admin@example.com', password: 'dialmark-demo-1' };

export interface Directus {
  /** The address of one of its views of our people. */
  url(view: View, host?: string): string;
  logIn(tab: Tab, host?: string): Promise<void>;
}

/** @throws Error saying what is missing. */
export async function startDirectus(cleanup: Cleanup): Promise<Directus> {
  const command = [await ensureNodeLts(), await ensureDirectus()] as const;
  const folder = await cleanup.addFolder('directus');
  const database = await startMariaDb();
  cleanup.add("Directus' database", () => database.stop());
  const connection = await database.connect();
  await connection.query('CREATE DATABASE directus');
  await connection.query("CREATE USER directus@'127.0.0.1' IDENTIFIED BY 'dialmark-demo-1'");
  await connection.query("GRANT ALL ON directus.* TO directus@'127.0.0.1'");
  await connection.end();
  const environment = {
    DB_CLIENT: 'mysql',
    DB_HOST: '127.0.0.1',
    DB_PORT: String(database.port),
    DB_DATABASE: 'directus',
    DB_USER: 'directus',
    DB_PASSWORD: 'dialmark-demo-1',
    SECRET: 'dialmark-demo-1',
    ADMIN_EMAIL: login.email,
    ADMIN_PASSWORD: login.password,
    HOST: '127.0.0.1',
    EXTENSIONS_PATH: folder,
    STORAGE_LOCAL_ROOT: folder,
    TELEMETRY: 'false',
    PROJECT_OWNER_ENABLED: 'false',
    // On a busy machine it would answer 503.
    PRESSURE_LIMITER_ENABLED: 'false',
  };
  const setUp = startChild([...command, 'bootstrap'], { environment });
  if ((await setUp.exited) !== 0) throw new Error(`Directus was not set up:\n${setUp.output().trim()}`);
  const port = await freePort();
  const server = await startServer([...command, 'start'], {
    ready: port,
    environment: { ...environment, PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` },
  });
  cleanup.add('Directus', () => server.stop());
  const paths = await fillDirectus(`http://127.0.0.1:${port}`, login);
  const at = (host: string, page: string) => `http://${host}:${port}/admin/${page}`;
  return {
    url: (view, host = '127.0.0.1') => at(host, paths[view]),
    async logIn(tab, host = '127.0.0.1') {
      await tab.goto(at(host, 'login'));
      await until(() => tab.count('input[type=email]'), 'the login', firstPageMs);
      // This cookie says that the question for a licence was answered.
      await tab.evaluate(`void (document.cookie = 'license-onboarding-dismissed=true; path=/')`);
      await tab.fill('input[type=email]', login.email);
      await tab.fill('input[type=password]', login.password);
      await tab.press('Enter');
      await until(() => tab.count('.module-bar, #navigation'), 'the page after the login', firstPageMs);
    },
  };
}
