/** A tab whose page does not finish loading, such as behind a slow report of the CRM, holds up no other. */
import { ask, ownPage, resetToRelay } from '../testing/extension/ask-background.ts';
import { paintedNumbers } from '../testing/extension/marked-numbers.ts';
import { serveHttp } from '../testing/servers/serve-http.ts';
import { html } from '../testing/servers/serve-pages.ts';
import { until } from '../testing/until.ts';
import { expect, test } from './fixtures.ts';

const shown = '(48) 3323-9015';

test('marks a tab while another one of the site is still loading', async ({ workstation, tab }) => {
  await resetToRelay(workstation);
  const page = await ownPage(workstation);
  const state = (state: string) => ask(page, { type: 'page.setSite', host: '127.0.0.1', state });
  expect((await state('default')).ok).toBe(true);
  const server = await serveHttp((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    const body = html(`<p>Fale com ${shown}</p>`);
    if (request.url === '/endless') response.write(body.slice(0, body.indexOf('</body>')));
    else response.end(body);
  });
  const address = `http://127.0.0.1:${server.port}`;
  const loading = await workstation.browser.newTab();
  await loading.evaluate(`void setTimeout(() => { location.href = '${address}/endless'; })`);
  await until(
    async () => (await loading.text('p').catch(() => '')).includes(shown),
    'the page that loads on',
  );
  await tab.goto(`${address}/numbers`);
  const answer = await Promise.race([
    state('enabled'),
    new Promise((resolve) => setTimeout(resolve, 10_000, 'no answer')),
  ]);
  expect(answer).toMatchObject({ ok: true });
  await until(async () => (await paintedNumbers(tab)).includes(shown), 'the mark');
  await loading.close();
  await server.close();
});
