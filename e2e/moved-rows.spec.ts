/** Lists whose page moves its rows, as sorting and virtual scrolling do. */
import { resetExtension } from '../testing/extension/ask-background.ts';
import { openWithMarks, paintedNumbers } from '../testing/extension/marked-numbers.ts';
import { html, type ServedPages, servePages } from '../testing/servers/serve-pages.ts';
import { expect, test } from './fixtures.ts';

const phones = ['(48) 3322-1001', '(48) 3322-1002', '(48) 3322-1003'];
const rows = phones.map((phone) => `<tr><td>Cliente</td><td>${phone}</td></tr>`).join('');
let site: ServedPages;

test.beforeAll(async ({ workstation }) => {
  await resetExtension(workstation);
  await workstation.setUp();
  await workstation.enableSite('127.0.0.1');
  const sort = `<button onclick="list.append(...[...list.children].reverse()); this.textContent = 'Ordenado'">`;
  site = await servePages({
    '/list': html(`${sort}Ordenar</button><table><tbody id="list">${rows}</table>`),
  });
});
test.afterAll(() => site.close());

test('the numbers of a list stay painted when its page moves the rows', async ({ tab }) => {
  await openWithMarks(tab, site.url('/list'), phones.length);
  await tab.click('button');
  await expect.poll(() => tab.text('button')).toBe('Ordenado');
  await expect.poll(async () => (await paintedNumbers(tab)).sort()).toEqual(phones);
});
