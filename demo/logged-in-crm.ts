/** The CRM that logs the demo's calls: the demo's own CRM, and with `--crm` a real CRM as well. */
import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright';
import type { Cleanup } from '../testing/cleanup.ts';
import type { RealCrm } from '../testing/crm/real-crm.ts';
import { startOdoo } from '../testing/crm/real-odoo.ts';
import { startRt } from '../testing/crm/real-rt.ts';
import { withPrefix } from '../testing/with-prefix.ts';

/** The number as each CRM shows it. What is dialled depends on the dial plan alone. */
export const numberToClick = '(48) 3322-4455';

const realCrms = {
  rt: { title: 'Request Tracker', start: startRt, logIn: { user: 'user', password: 'pass', at: '/' } },
  odoo: { title: 'Odoo', start: startOdoo, logIn: { user: 'login', password: 'password', at: '/web/login' } },
} as const;
export type RealCrmName = keyof typeof realCrms;
export const realCrmNames = Object.keys(realCrms) as RealCrmName[];

export interface LoggedInCrm {
  title: string;
  /** The page of a ticket with `numberToClick`. */
  ticketUrl(crmUrl: string): string;
  /** Who may look at it; absent where everybody may. */
  login?: string;
  /** Opens the ticket in a new page. The demo's own CRM shows the ticket in the demo's page already. */
  openTicket(demoPage: Page): Promise<Page>;
  rules(crmUrl: string): object;
  relaySettings(crmUrl: string): Record<string, string>;
}

const own = { system: 'harbor', pattern: '/crm/#/tickets/{id}', kind: 'ticket' };

/** The sandbox's CRM takes the entries as a webhook. */
export const ownCrm: LoggedInCrm = {
  title: 'the demo',
  ticketUrl: (crmUrl) => `${crmUrl}/crm/#/tickets/4711`,
  openTicket: async (demoPage) => demoPage,
  rules: (crmUrl) => ({ templates: [{ ...own, origin: crmUrl }] }),
  relaySettings: (crmUrl) => ({
    CRM_HARBOR_KIND: 'webhook',
    CRM_HARBOR_URL: `${crmUrl}/crm/entries`,
    CRM_HARBOR_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
  }),
};

/** @throws Error naming what it needs and this machine lacks. */
export async function startRealCrm(name: RealCrmName, cleanup: Cleanup): Promise<LoggedInCrm> {
  const { title, start, logIn } = realCrms[name];
  const crm: RealCrm = await start(cleanup);
  const { USER = '', TOKEN = '' } = crm.settings;
  const id = await crm.addRecord(numberToClick);
  const ticketUrl = crm.url + crm.pattern.replace('{id}', id);
  const template = { system: name, origin: crm.url, pattern: crm.pattern, kind: crm.kind };
  return {
    title,
    ticketUrl: () => ticketUrl,
    login: `${USER}, password ${TOKEN}`,
    async openTicket(demoPage) {
      const page = await demoPage.context().newPage();
      await page.goto(crm.url + logIn.at);
      await page.locator(`input[name=${logIn.user}]`).fill(USER);
      await page.locator(`input[name=${logIn.password}]`).fill(TOKEN);
      await page.keyboard.press('Enter');
      await page.locator(`input[name=${logIn.password}]`).waitFor({ state: 'detached' });
      await page.goto(ticketUrl);
      await page.bringToFront();
      return page;
    },
    rules: (crmUrl) => ({ templates: [template, { ...own, origin: crmUrl }] }),
    relaySettings: (crmUrl) => ({
      ...ownCrm.relaySettings(crmUrl),
      ...withPrefix(`CRM_${name.toUpperCase()}_`, { URL: crm.url, ...crm.settings }),
    }),
  };
}
