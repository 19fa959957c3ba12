/** Numbers in pages: what is marked and what is not, without harm to the page. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { nameAmong } from '../extension/background/numbers/name-among.ts';
import type { Tab } from '../testing/browsers/browser.ts';
import { bundleScript } from '../testing/bundle-script.ts';
import { ownPage, resetToRelay, sendToContent } from '../testing/extension/ask-background.ts';
import {
  callsFinished,
  clickNumber,
  hoverText,
  paintedNumbers,
  partOf,
  waitUntilClickable,
} from '../testing/extension/marked-numbers.ts';
import { runCommand } from '../testing/extension/run-command.ts';
import { html, type ServedPages, servePages } from '../testing/servers/serve-pages.ts';
import { until } from '../testing/until.ts';
import { expect, test } from './fixtures.ts';
import { phoneOf, rowsOf } from './sites/rows.ts';

const app = (name: string) => bundleScript(fileURLToPath(new URL(`sites/${name}`, import.meta.url)));
const many = Array.from({ length: 2_000 }, (_, id) => `<p>Cliente ${id} tel. ${phoneOf(id, 0)}</p>`).join('');

const long = many.replace(/<p>(.*?)<\/p>/g, '<p><b>$1</b> <i>ativo</i></p>');

let pages: ServedPages;

test.beforeAll(async ({ workstation }) => {
  pages = await servePages({
    '/react.js': await app('react-app.ts'),
    '/vue.js': await app('vue-app.ts'),
    '/react': html('<div id="app"></div><script src="/react.js"></script>'),
    '/vue': html('<div id="app"></div><script src="/vue.js"></script>'),
    '/many': html(many),
    '/shared': html(
      '<p>Ana Prado (48) 3351-9015<br>Rui Costa <span id="second">(48) 3351-9015</span><br>Otto Lima</p>',
    ),
    '/long': html(long),
    '/places': html(`
      <p id="plain">Fale com (48) 3322-4455 hoje</p>
      <p id="split">ou <b>+55 48</b> <i>3322</i>-4466</p>
      <div style="display:flex"><span>4833</span><span>224477</span></div>
      <p style="white-space:pre-line">3322-4481\n3322-4482</p>
      <textarea>(48) 3322-0001</textarea><input value="(48) 3322-0002">
      <pre>Fone: (48) 3322-4467
(48) 3322-4468</pre><code>(48) 3322-0003</code><kbd>(48) 3322-0004</kbd>
      <div contenteditable><p>(48) 3322-0005</p></div>
      <a href="/elsewhere">(48) 3322-0006</a><button>(48) 3322-0007</button>
      <section data-dialmark="off"><p>(48) 3322-0008</p></section>
      <p style="display:none">(48) 3322-0009</p>
      <div id="open"></div><div id="closed"></div><late-root></late-root>
      <iframe srcdoc="<p>(48) 3322-4499</p>" style="border:0;width:300px;height:60px"></iframe>
      <script>
        document.querySelector('#open').attachShadow({ mode: 'open' }).innerHTML = '<p>(48) 3322-4491</p>';
        document.querySelector('#closed').attachShadow({ mode: 'closed' }).innerHTML = '<p>(48) 3322-4492</p>';
        window.define = () => customElements.define('late-root', class extends HTMLElement {
          constructor() { super(); this.attachShadow({ mode: 'closed' }).innerHTML = '<p>(48) 3322-4493</p>'; } });
      </script>`),
    '/layout': html(`
      <div style="display:flex;gap:9px"><span>Clínica 24</span><span>+55 41 99122-8040</span><span>2</span></div>
      <p style="position:relative;padding-left:30px"><b style="position:absolute;left:0">2</b>(85) 3456-1234</p>
      <p><span style="float:right">14:32</span>(85) 3456-1235</p>
      <p><span style="display:inline-block;margin-right:9px">12</span><span style="display:inline-block">(85) 3456-1236</span></p>
      <p><b>+55</b>85 3456-1237 <x-part>e +55</x-part> 85 3456-<span style="display:inline-block">1238</span></p>
      <div style="display:flex"><div style="display:contents">(85) 3456-1243</div></div>
      <p><x-bare style="display:contents"></x-bare></p>
      <script>document.querySelector('x-bare').attachShadow({ mode: 'open' }).textContent = '(85) 3456-1244';</script>
      <p>(85) 3456<span style="display:none">9</span>-1239<span style="visibility:hidden">1</span></p>
      <p class="fold" hidden>(85) 3456-1240</p>
      <p>Fax <span class="fold" hidden>(85) 3456-1241</span></p>
      <div class="fold" style="height:0;overflow:hidden"><p>(85) 3456-1242</p></div>
      <button onclick="for (const one of document.querySelectorAll('.fold')) { one.hidden = false; one.style.height = ''; }">mais</button>`),
    '/labels': html(
      `<pre>11987651007\n11987651008</pre>
      <table><thead><tr><th>Nº do pedido</th><th>Cliente</th><th>Telefone</th></tr></thead>
        <tr><td>11987650001</td><td>Ana</td><td>11987651001</td></tr></table>
      <div role="grid"><div role="row"><div role="columnheader">Order</div><div role="columnheader">Phone</div></div>
        <div role="row"><div role="gridcell">11987650002</div><div role="gridcell">11987651002</div></div></div>
      <div role="table"><div role="row"><span role="columnheader">Order</span> <span role="columnheader">Phone</span></div>
        <div role="row"><span role="cell">11987650009</span> <span role="cell">11987651006</span></div></div>
      <dl><dt>Contrato</dt><dd>11987650003</dd><dt>Celular</dt><dd>11987651003</dd></dl>
      <table><tr><td>Protocolo:</td><td>11987650004</td></tr><tr><td>Fone:</td><td>11987651004</td></tr></table>
      <div><label>Nota fiscal</label><p>11987650005</p></div><div><label>WhatsApp</label><p>11987651005</p></div>
      <fieldset><legend>Fatura</legend><div>11987650006</div></fieldset>
      <table><tr><th>Telefone</th><td>11987651009</td><th>Contrato</th><td>11987650010</td></tr>
        <tr><td>CPF:</td><td>11987650011</td><td>Celular:</td><td>11987651010</td></tr></table>
      <table><thead><tr><th rowspan="2">Cliente</th><th>Telefones</th><th colspan="2">Documentos</th></tr>
        <tr><th>Celular</th><th>Pedido</th><th>Contrato</th></tr></thead>
        <tr><td rowspan="2">Ana</td><td>11987651011</td><td>11987650012</td><td>11987650013</td></tr>
        <tr><td>11987651012</td><td>11987650014</td><td>11987650015</td></tr>
        <tbody><tr><td>Bia</td><td>11987651013</td><td>11987650016</td><td>11987650017</td></tr></tbody></table>
      <div style="display:grid;grid-template-columns:1fr 1fr"><span>Contrato</span><b>8578</b>
        <span>Recibo e dia</span><b>11987650018</b><span>Celular do pai</span><b>11987651014</b></div>
      <p aria-label="CPF">11987650007</p><p title="Rastreio">11987650008</p>`,
      '<title>Pedido</title>',
    ),
    '/ends': html('<p>Fale com (48) 3322-4455/4456</p>'),
    '/none': html('<main data-dialmark="off"><p>Fale com (48) 3322-4455</p></main>'),
    '/telephone': html(
      '<p>Fale com (48) 3322-4455</p>',
      '<meta name="format-detection" content="telephone=no">',
    ),
    '/unlike': html(`
      <p>Tel. (48) 3322-4400</p>
      <p>Tel. <bdo dir="rtl">(48) 3322-4401</bdo></p>
      <p>Tel. \u202e(48) 3322-4402</p>
      <p style="unicode-bidi:bidi-override;direction:rtl">Tel. (48) 3322-4403</p>
      ${[
        'opacity:0',
        'clip-path:inset(50%)',
        '-webkit-text-fill-color:transparent',
        'color:#fff',
        'color:#fff;background:#fff',
      ]
        .map((style) => `<p>Tel. (48) 3322-44<span style="${style}">9</span>04</p>`)
        .join('')}`),
    '/no-box': html(`
      <div style="display:contents;overflow:auto"><p>Tel. (48) 3322-4466</p></div>
      <table><tbody style="display:contents;overflow:hidden"><tr><td>Tel. (48) 3322-4467</td></tr></tbody></table>`),
    '/links': html(`
      <p><a href="tel:+554833224455">(48) 3322-4455</a></p>
      <p><a href="callto:4833224466"><img alt="ligar" width="40" height="20" src="data:,"></a></p>
      <p><a id="lie" href="tel:+554833224477">(48) 3322-0000</a></p>`),
  });
  await resetToRelay(workstation);
});
test.afterAll(() => pages.close());

const serialised = `(() => { const copy = document.documentElement.cloneNode(true);
  copy.querySelector(':scope > dialmark-overlay')?.remove(); return copy.outerHTML; })()`;

test('numbers are marked in text, but not in fields, links or code', async ({ tab }) => {
  await tab.goto(pages.url('/places'));
  const inText = ['(48) 3322-4455', '+55 48 3322-4466', '(48) 3322-4467', '(48) 3322-4468'];
  const expected = [...inText, '(48) 3322-4491', '(48) 3322-4492'];
  await until(async () => {
    const painted = await paintedNumbers(tab);
    return expected.every((number) => painted.includes(number));
  }, 'the marks');
  await tab.evaluate('define()');
  // Late shadow roots are looked for after any change of the page.
  await tab.evaluate(`document.body.append(document.createElement('p'))`);
  await until(
    async () => (await paintedNumbers(tab)).includes('(48) 3322-4493'),
    'the mark in the late closed root',
  );
  const painted = await paintedNumbers(tab);
  expect(painted.filter((number) => number.includes('3322-00'))).toEqual([]);
  expect(painted.filter((number) => number.replace(/\D/g, '').includes('4833224477'))).toEqual([]);
  expect(painted.every((number) => number.replace(/\D/g, '').length <= 13)).toBe(true);
  expect(tab.errors()).toEqual([]);
});

test('layout separates or joins the digits of a number, also where an element has no box', async ({
  tab,
}) => {
  await tab.goto(pages.url('/layout'));
  const shown = [
    '+55 41 99122-8040',
    '(85) 3456-1234',
    '(85) 3456-1235',
    '(85) 3456-1236',
    '+5585 3456-1237',
  ];
  const inNoBox = '(85) 3456-1243';
  const expected = [...shown, '+55 85 3456-1238', '(85) 34569-1239', inNoBox, '(85) 3456-1244'].sort();
  const painted = async () => (await paintedNumbers(tab)).sort().join();
  await until(async () => (await painted()) === expected.join(), 'the marks of what is rendered');
  await hoverText(tab, inNoBox);
  await tab.click('button');
  const unfolded = ['(85) 3456-1240', '(85) 3456-1241', '(85) 3456-1242'];
  const all = [...expected, ...unfolded].sort().join();
  await until(async () => (await painted()) === all, 'the marks of what was unfolded');
});

test('bare digits are marked as the label or column head in another box says', async ({ tab }) => {
  await tab.goto(pages.url('/labels'));
  const expected = Array.from({ length: 14 }, (_, index) => String(11_987_651_001 + index)).join();
  await until(async () => (await paintedNumbers(tab)).sort().join() === expected, 'the telephones alone');
});

const contacts = JSON.parse(readFileSync(new URL('../demo/crm/contacts.json', import.meta.url), 'utf8')) as {
  name: string;
  phones: { number: string }[];
}[];

test("every number of the demo's contact list is marked", async ({ workstation, tab }) => {
  await tab.goto(`${workstation.sandbox.url}/crm/`);
  const listed = contacts.map(({ phones }) => phones[0]!.number);
  const all = `[...document.querySelectorAll('.row-phone')].map((phone) => phone.textContent)`;
  await until(async () => (await tab.evaluate<string[]>(all)).join() === listed.join(), 'the list');
  await until(async () => {
    await tab.evaluate(`document.querySelector('.row:last-child').scrollIntoView()`);
    const painted = await paintedNumbers(tab);
    return listed.every((number) => painted.includes(number));
  }, 'a mark on every number');
  const own = await ownPage(workstation);
  const [numbers] = await sendToContent<{ context: string }[]>(own, `${workstation.sandbox.url}/crm/`, {
    type: 'background.list',
  });
  const contexts = numbers!.map(({ context }) => nameAmong(context));
  expect(contexts).toEqual(expect.arrayContaining(contacts.map(({ name }) => name)));
});

test('a call keeps the name beside the clicked number where others have the number', async ({
  workstation,
  tab,
}) => {
  await resetToRelay(workstation);
  await tab.goto(pages.url('/shared'));
  await hoverText(tab, '(48) 3351-9015');
  const [x, y] = await tab.evaluate<[number, number]>(
    `(({ x, y, width, height }) => [x + width / 2, y + height / 2])(document.querySelector('#second').getBoundingClientRect())`,
  );
  await tab.moveTo({ x, y });
  await waitUntilClickable(tab);
  await tab.clickAt({ x, y });
  const placed = await until(async () => {
    const answer = await fetch(`${workstation.relay.url}/v1/calls?limit=1`, {
      headers: { authorization: `Bearer ${workstation.key}` },
    });
    const { calls } = (await answer.json()) as { calls: { to: string; name?: string }[] };
    return calls[0]?.to === '4833519015' && calls[0];
  }, 'the call');
  expect(placed.name).toBe('Rui Costa');
  await callsFinished(workstation);
});

test('a page with data-dialmark=off has no marks', async ({ workstation, tab }) => {
  await tab.goto(pages.url('/none'));
  const own = await ownPage(workstation);
  await until(async () => {
    const [list] = await sendToContent<unknown[]>(own, pages.url('/none'), { type: 'background.list' });
    return list?.length === 0;
  }, 'our script in the page, which knows of no number');
  await tab.activate();
  await tab.moveTo(await tab.pointOfText('(48) 3322-4455'));
  await waitUntilClickable(tab);
  expect(await paintedNumbers(tab)).toEqual([]);
  expect(await tab.overlay()).toEqual([]);
});

test('a page that turns off the detection of a phone is marked', async ({ tab }) => {
  await tab.goto(pages.url('/telephone'));
  await until(async () => (await paintedNumbers(tab)).join() === '(48) 3322-4455', 'the mark');
});

test('a number that reads otherwise than it is written has no mark', async ({ tab }) => {
  await tab.goto(pages.url('/unlike'));
  await until(async () => (await paintedNumbers(tab)).length > 0, 'the marks');
  expect(await paintedNumbers(tab)).toEqual(['(48) 3322-4400']);
});

test('text in elements without a box is marked, whatever their overflow', async ({ tab }) => {
  await tab.goto(pages.url('/no-box'));
  const expected = ['(48) 3322-4466', '(48) 3322-4467'].join();
  await until(async () => (await paintedNumbers(tab)).join() === expected, 'the marks');
});

test('a number that the page writes into a document it opened again is dialled', async ({ calls, tab }) => {
  await tab.goto(pages.url('/ends'));
  await until(async () => (await paintedNumbers(tab)).length > 0, 'the marks');
  await tab.evaluate(
    `(() => { document.open(); document.write('<p>Ligue para (48) 3322-4471</p>'); document.close(); })()`,
  );
  const click = () => clickNumber(tab, '(48) 3322-4471');
  await calls.expectOnly(click, '4833224471');
});

test('only numbers near the viewport are marked; scrolling marks the rest', async ({ tab }) => {
  await tab.goto(pages.url('/many'));
  await until(async () => (await paintedNumbers(tab)).length > 0, 'the first marks');
  expect((await paintedNumbers(tab)).length).toBeLessThanOrEqual(300);
  expect(await paintedNumbers(tab)).not.toContain(phoneOf(1_999, 0));
  await tab.evaluate('scrollTo(0, document.body.scrollHeight)');
  await until(async () => (await paintedNumbers(tab)).includes(phoneOf(1_999, 0)), 'the last mark');
  await until(async () => !(await paintedNumbers(tab)).includes(phoneOf(0, 0)), 'the first mark gone');
  // Nothing comes that could be marked in their place.
  await tab.evaluate(`(() => { document.body.append(Object.assign(new Image(), { height: 9_000 }));
    scrollTo(0, document.body.scrollHeight); })()`);
  await until(async () => (await paintedNumbers(tab)).length === 0, 'the last mark gone');
});

test('a very long page gets no underline, which would cost it frames', async ({ tab, browserUnderTest }) => {
  await tab.goto(pages.url('/long'));
  await until(async () => (await paintedNumbers(tab)).includes(phoneOf(0, 0)), 'the first marks');
  const highlights = `['dialmark-number', 'dialmark-number-plain'].filter((name) => CSS.highlights.has(name))`;
  const expected = browserUnderTest.name === 'chromium' ? 'dialmark-number-plain' : 'dialmark-number';
  expect(await tab.evaluate(highlights)).toEqual([expected]);
});

test('a number that the page removes, then adds again, is marked again', async ({ tab }) => {
  await tab.goto(pages.url('/places'));
  const marked = async () => (await paintedNumbers(tab)).includes('(48) 3322-4455');
  await until(marked, 'the mark');
  await tab.evaluate(`(window.taken = document.querySelector('#plain')).remove()`);
  await until(async () => !(await marked()), 'the mark gone');
  await tab.evaluate('document.body.prepend(window.taken)');
  await until(marked, 'the mark again');
});

for (const framework of ['react', 'vue']) {
  const tag = framework === 'react' ? '' : ' @exhaustive';
  test(`${framework} re-renders its page without losing our marks${tag}`, async ({
    tab,
    browserUnderTest,
  }) => {
    const render = (one: Tab, generation: number) =>
      one.evaluate(`Promise.resolve(render(${generation})).then(() => true)`);
    const bare = await browserUnderTest.newTab(pages.url(`/${framework}`, 'other'));
    await tab.goto(pages.url(`/${framework}`));
    for (let generation = 0; generation < 9; generation++) {
      await render(bare, generation);
      await render(tab, generation);
      const now = new Set(rowsOf(generation).map(({ phone }) => phone));
      // Stale marks would be visible at once; the new ones follow a moment later.
      for (const number of await paintedNumbers(tab)) expect(now).toContain(number);
      await until(
        async () => (await paintedNumbers(tab)).length === now.size,
        `all numbers of drawing ${generation}`,
      );
      if (generation === 4) await hoverText(tab, phoneOf(7, generation));
      expect(await tab.evaluate(serialised)).toBe(await bare.evaluate(serialised));
    }
    expect(tab.errors()).toEqual([]);
    await bare.close();
  });
}

test('the number that React rendered last is dialled @exhaustive', async ({ calls, tab }) => {
  await tab.goto(pages.url('/react'));
  await tab.evaluate('render(0)');
  await hoverText(tab, phoneOf(3, 0));
  await tab.evaluate('render(3)');
  const number = phoneOf(3, 3);
  await calls.expectOnly(() => clickNumber(tab, number), number.replace(/\D/g, ''));
});

test('the short second number of an abbreviated pair is dialled in full @exhaustive', async ({
  calls,
  tab,
}) => {
  await tab.goto(pages.url('/ends'));
  await until(async () => (await paintedNumbers(tab)).join() === '(48) 3322-4455,4456', 'both numbers');
  await calls.expectOnly(() => clickNumber(tab, '/4456'), '4833224456');
});

test('telephone links are dialled; one that shows another number asks first', async ({
  workstation,
  calls,
  tab,
}) => {
  await tab.goto(pages.url('/links'));
  const before = workstation.sandbox.calls.length;
  await calls.expectOnly(() => clickNumber(tab, '(48) 3322-4455'), '4833224455');

  await clickNumber(tab, '(48) 3322-0000');
  await until(
    async () => (await partOf(tab, 'card'))?.attributes['data-state'] === 'confirm',
    'the question',
  );
  expect((await partOf(tab, 'card'))?.text).toContain('3322-4477');
  expect(workstation.sandbox.calls).toHaveLength(before + 1);
  // A click that comes too soon does nothing, and no event says when it counts.
  await until(async () => {
    if ((await partOf(tab, 'yes')) !== undefined)
      await tab.clickInOverlay({ selector: { attribute: ['class', 'yes'] } });
    return workstation.sandbox.calls.length === before + 2;
  }, 'the confirmed call');
  expect(workstation.sandbox.calls.at(-1)!.fields.to).toBe('4833224477');
  await callsFinished(workstation);
  expect(tab.errors()).toEqual([]);
});

test('a focused number keeps the focus while the page adds text around it', async ({ workstation, tab }) => {
  await tab.goto(pages.url('/places'));
  await until(async () => (await paintedNumbers(tab)).includes('(48) 3322-4455'), 'the mark');
  await tab.activate();
  await runCommand(workstation.browser, 'next-number');
  await until(async () => (await partOf(tab, 'link')) !== undefined, 'the link under the keyboard');
  await tab.evaluate(`document.querySelector('#plain').append(' ou (48) 3322-4456')`);
  await until(
    async () => (await paintedNumbers(tab)).includes('(48) 3322-4456'),
    'the block to be read again',
  );
  await waitUntilClickable(tab);
  expect((await partOf(tab, 'link'))?.attributes['aria-label']).toContain('3322-4455');
  expect(await tab.evaluate('document.activeElement.localName')).toBe('dialmark-overlay');
});

test('keyboard commands move between numbers, dial, then restore the focus', async ({ workstation, tab }) => {
  await tab.goto(pages.url('/many'));
  await tab.evaluate(
    `(() => { const field = document.createElement('input'); field.id = 'own'; document.body.prepend(field); field.focus(); })()`,
  );
  await until(async () => (await paintedNumbers(tab)).length > 0, 'the first marks');
  const own = await ownPage(workstation);
  await tab.activate();
  // The message that the background sends on the command; a driver cannot press the browser's own shortcuts.
  const send = (message: object) => sendToContent(own, pages.url('/many'), message);
  const named = async () => (await partOf(tab, 'link'))?.attributes['aria-label'];
  await send({ type: 'background.step', to: 'next' });
  const first = await until(named, 'the first number');
  await send({ type: 'background.step', to: 'next' });
  const second = await until(
    async () => ((await named()) === first ? undefined : named()),
    'the second number',
  );
  await send({ type: 'background.step', to: 'previous' });
  await until(async () => (await named()) === first, 'the first number again');
  await send({ type: 'background.step', to: 'next' });
  await until(async () => (await named()) === second, 'the second number again');
  expect(await tab.evaluate('document.activeElement.localName')).toBe('dialmark-overlay');

  await waitUntilClickable(tab);
  const before = workstation.sandbox.calls.length;
  await send({ type: 'background.dialFocused' });
  await until(() => workstation.sandbox.calls.length > before, 'the call');
  await callsFinished(workstation);
  expect(workstation.sandbox.calls.length).toBe(before + 1);
  await tab.press('Escape');
  await until(async () => (await tab.evaluate('document.activeElement.id')) === 'own', 'the focus back');
});
