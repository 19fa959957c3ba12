/** The widget on pages: what an agent sees, and what pages of every kind do to it. */

import { until } from '../testing/until.ts';
import { test as base, expect } from './fixtures.ts';
import {
  clickInWidget,
  connects,
  inWidget,
  keepEvents,
  seenEvents,
  shows,
  stateOfWidget,
  textOfWidget,
} from './widget/look.ts';
import { aCall, ended, type Stage, startStage, widgetTag } from './widget/stage.ts';

const script = '<script type="module" async src="/widget.js"></script>';
const test = base.extend<{ stage: Stage }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function wants from its first parameter.
  stage: async ({}, use) => {
    const stage = await startStage();
    await use(stage);
    await stage.close();
  },
});

test('a call is followed from ringing to its end: clock, outcome, recording, way of the call', async ({
  stage,
  tab,
}) => {
  await tab.goto(stage.page('/', `${keepEvents}${script}${widgetTag(stage, 'country="BR"')}`));
  await shows(tab, 'No calls yet');
  const call = aCall({ createdAt: new Date(Date.now() - 61_000).toISOString() });
  stage.relay.push(call);
  await shows(tab, 'Ringing your phone, then (48) 3322-4455');
  const clock = `root.querySelector('[part=clock]').textContent`;
  const first = await inWidget<string>(tab, clock);
  expect(first).toMatch(/^1:\d\d$/);
  await until(async () => (await inWidget<string>(tab, clock)) !== first, 'the clock to run');
  expect(await textOfWidget(tab)).not.toMatch(/connected/i);

  stage.relay.push(
    ended(call, {
      recordingUrl: `${stage.site}/recording.wav`,
      legs: [
        { id: '1700000000.1', state: 'Up', callerNumber: '1105', callerName: 'Ana' },
        { id: '1700000009.2', state: 'Up', callerNumber: '4833224455' },
        { id: '1700000040.3', state: 'Up', callerNumber: '1106' },
      ],
    }),
  );
  await shows(tab, 'Talked for 1:05');
  expect(await stateOfWidget(tab)).toBe('disconnected');
  const drawn = await inWidget<unknown>(
    tab,
    `({ player: root.querySelector('audio').src, link: root.querySelector('a').href, dots: root.querySelectorAll('circle').length,
        rows: [...root.querySelectorAll('tbody tr')].map((row) => row.innerText.split(/\\s+/)) })`,
  );
  expect(drawn).toEqual({
    player: `${stage.site}/recording.wav`,
    link: `${stage.site}/recording.wav`,
    dots: 3,
    rows: [
      ['0:00', 'Ana', 'Up'],
      ['0:09', '4833224455', 'Up'],
      ['0:40', '1106', 'Up'],
    ],
  });
  // Every change was told once, on the document, through the shadow root.
  expect((await seenEvents(tab)).map(({ name, state }) => state ?? name)).toEqual([
    'ready',
    'callingCaller',
    'disconnected',
  ]);
  expect(tab.errors().filter((error) => !error.includes('404'))).toEqual([]);
});

test('each way to fail is one sentence that says what to do, in the language of the page', async ({
  stage,
  tab,
}) => {
  const failed = (
    reason: 'refused' | 'callerNoAnswer' | 'notSent',
    code: 'wrongToken' | 'lostCall' | 'unreachable',
  ) => aCall({ state: 'failed', reason, error: { code, message: 'x' }, revision: 2 });
  stage.relay.history = [failed('refused', 'wrongToken')];
  await tab.goto(stage.page('/', `${script}<div lang="pt-BR">${widgetTag(stage)}</div>`));
  await shows(tab, 'Avise o administrador.');
  stage.relay.push(failed('callerNoAnswer', 'lostCall'));
  await shows(tab, 'Ligação perdida: seu telefone não foi atendido');
  stage.relay.push(failed('notSent', 'unreachable'));
  await shows(tab, 'Serviço fora de alcance. Tente mais tarde.');
  await tab.evaluate(`document.querySelector('dialmark-widget').lang = 'es'`);
  await shows(tab, 'No se alcanza el servicio.');
});

test('hostile text is shown as text, or refused, and nothing of it runs', async ({ stage, tab }) => {
  const nasty = [
    '<img src=x onerror="window.owned=1">',
    '<script>window.owned=1</script>',
    '"><svg onload=window.owned=1>',
    '\u202Etxt.exe\u2066',
    'x'.repeat(10_000),
    'javascript:window.owned=1',
  ];
  await tab.goto(stage.page('/', `${script}<div style="width:20rem">${widgetTag(stage)}</div>`));
  await connects(tab);
  for (const [at, text] of nasty.entries()) {
    const call = ended(
      aCall({
        from: text,
        to: text,
        callid: text,
        createdAt: new Date(Date.now() + at).toISOString(),
        startedAt: text,
      }),
      {
        endedAt: text,
        recordingUrl: at === 0 ? `https://rec.example/"><img src=x onerror=window.owned=1>` : text,
        audioFile: text,
        route: text,
        mainchannel: text,
        legs: [
          {
            id: text,
            channel: text,
            state: text,
            exten: text,
            callerNumber: text,
            callerName: text,
            context: text,
          },
        ],
        error: { code: 'lostCall', message: text },
      },
    );
    stage.relay.push(call);
    await until(
      () =>
        tab.evaluate(`document.querySelector('dialmark-widget').calls[0]?.id === ${JSON.stringify(call.id)}`),
      'the call',
    );
  }
  await until(
    () => inWidget<boolean>(tab, `root.querySelectorAll('details').length === ${nasty.length - 1}`),
    'all of them',
  );
  const found = await inWidget<{
    owned: unknown;
    elements: number;
    links: string[];
    bidi: boolean;
    wide: boolean;
  }>(
    tab,
    `({ owned: window.owned ?? null, elements: root.querySelectorAll('img, script, [onload], [onerror]').length,
        links: [...root.querySelectorAll('a, audio')].map((each) => (each.href ?? each.src).split(':')[0]),
        bidi: /[\\u202a-\\u202e\\u2066-\\u2069]/.test(root.textContent),
        wide: root.host.parentElement.scrollWidth > root.host.parentElement.clientWidth + 1 })`,
  );
  expect(found).toEqual({ owned: null, elements: 0, links: ['https', 'https'], bidi: false, wide: false });
  expect(await textOfWidget(tab)).toContain('not a web address');
});

test('a recording that may not be played inside is a link with a note', async ({ stage, tab }) => {
  // The page's own policy forbids media of other hosts, as browsers do with http inside https.
  const page = stage.page('/', `${script}${widgetTag(stage)}`, {
    'content-security-policy': `default-src 'self'; connect-src 'self' ${stage.relay.url}`,
  });
  stage.relay.history = [ended(aCall(), { recordingUrl: 'http://127.0.0.1:9/recording.mp3' })];
  await tab.goto(page);
  await shows(tab, 'Recording (127.0.0.1:9)');
  await inWidget(
    tab,
    `{ const audio = root.querySelector('audio'); if (audio) { audio.preload = 'auto'; audio.load(); } }`,
  );
  await shows(tab, 'It cannot be played here.');
  expect(await inWidget(tab, `root.querySelector('audio')?.checkVisibility() ?? false`)).toBe(false);
});

test('a strict policy and Trusted Types change nothing, and no style goes in or out', async ({
  stage,
  tab,
}) => {
  stage.file(
    '/page.css',
    'p, section { color: rgb(255, 0, 0) !important; } body { font-size: 40px; text-transform: uppercase }',
    'text/css',
  );
  stage.relay.history = [ended(aCall(), { legs: [{ id: '1' }] })];
  await tab.goto(
    stage.page(
      '/',
      `<link rel="stylesheet" href="/page.css">${script}${widgetTag(stage, 'mode="dial"')}<p id="p">text</p>`,
      {
        'content-security-policy': `default-src 'self'; connect-src 'self' ${stage.relay.url}; require-trusted-types-for 'script'; trusted-types 'none'`,
      },
    ),
  );
  await shows(tab, 'Talked for 1:05');
  const styles = await inWidget<Record<string, string>>(
    tab,
    `({ size: getComputedStyle(root.querySelector('[part=state]')).fontSize, transform: getComputedStyle(root.querySelector('[part=state]')).textTransform,
        colour: getComputedStyle(root.querySelector('[part=state]')).color, radius: getComputedStyle(root.querySelector('section')).borderRadius,
        outside: getComputedStyle(document.querySelector('#p')).margin })`,
  );
  expect(styles).toMatchObject({ size: '15px', transform: 'none', radius: '10px' });
  expect(styles.colour).not.toBe('rgb(255, 0, 0)');
  expect(tab.errors().filter((error) => !error.includes('404'))).toEqual([]);
});

test('parts and custom properties are the page’s way to style it', async ({ stage, tab }) => {
  const style =
    '<style>dialmark-widget { --dialmark-radius: 3px } dialmark-widget::part(state) { color: rgb(1, 2, 3) }</style>';
  stage.relay.history = [ended(aCall())];
  await tab.goto(stage.page('/', `${style}${script}${widgetTag(stage, 'theme="dark"')}`));
  await shows(tab, 'Talked');
  expect(
    await inWidget(
      tab,
      `[getComputedStyle(root.querySelector('section')).borderRadius, getComputedStyle(root.querySelector('[part=state]')).color,
        getComputedStyle(root.querySelector('section')).backgroundColor]`,
    ),
  ).toEqual(['3px', 'rgb(1, 2, 3)', 'rgb(29, 31, 35)']);
});

test('it may be moved, removed and put back, made before or after the script, many times on one page', async ({
  stage,
  tab,
}) => {
  stage.relay.history = [ended(aCall())];
  await tab.goto(stage.page('/', `<div id="a">${widgetTag(stage)}</div><div id="b"></div>`));
  // Before the class is there: a property that it will take up.
  await tab.evaluate(`(() => { const early = document.createElement('dialmark-widget'); early.setAttribute('relay', ${JSON.stringify(stage.relay.url)});
    early.getTicket = async () => (await (await fetch('/ticket')).json()).ticket; document.body.append(early);
    const script = document.createElement('script'); script.type = 'module'; script.src = '/widget.js'; document.head.append(script); })()`);
  await shows(tab, 'Talked', 0);
  await shows(tab, 'Talked', 1);
  const globals = await tab.evaluate<string[]>(
    `Object.keys(window).filter((name) => /dialmark|preact/i.test(name))`,
  );
  expect(globals).toEqual([]);
  const before = stage.relay.requests.length;
  await tab.evaluate(`document.querySelector('#b').append(document.querySelector('dialmark-widget'))`);
  await shows(tab, 'Talked', 0);
  expect(stage.relay.requests.length).toBe(before);
  // Another copy of the file, as a second bundle would bring.
  await tab.evaluate(`import('/widget.js?copy').then(() => true)`);
  await tab.evaluate(
    `(() => { window.kept = [...document.querySelectorAll('dialmark-widget')]; for (const each of kept) each.remove(); })()`,
  );
  await until(() => stage.relay.streams.size === 0, 'no stream when no widget is left');
  await tab.evaluate(`document.body.append(kept[0])`);
  await connects(tab);
  const call = aCall();
  stage.relay.push(call);
  await until(async () => (await stateOfWidget(tab)) === 'callingCaller', 'the call');
  expect(stage.relay.streams.size).toBe(1);
});

test('what is missing is said in the page and the console, not by silence', async ({ stage, tab }) => {
  await tab.goto(stage.page('/', `${keepEvents}${script}<dialmark-widget></dialmark-widget>`));
  await shows(tab, 'Not set up');
  expect((await seenEvents(tab)).map(({ code }) => code)).toEqual(['setUp']);
  await tab.evaluate(`(() => { const widget = document.querySelector('dialmark-widget'); widget.setAttribute('relay', ${JSON.stringify(stage.relay.url)});
    widget.setAttribute('ticket-url', '/ticket'); })()`);
  await shows(tab, 'No calls yet');
});

test('the first picture stands as soon as the script has run', async ({ stage, tab }) => {
  await tab.goto(stage.page('/', widgetTag(stage)));
  // Measured in the very task that ends the script: it waits for no answer, no frame and no timer.
  const height = await tab.evaluate<number>(
    `(async () => { const text = await (await fetch('/widget.js')).text();
      const measure = "globalThis.height = document.querySelector('dialmark-widget').shadowRoot.querySelector('section').getBoundingClientRect().height";
      await import(URL.createObjectURL(new Blob([text, ';', measure], { type: 'text/javascript' }))); return globalThis.height; })()`,
  );
  expect(height).toBeGreaterThan(20);
});

test.describe('dial mode', () => {
  test('types, groups, dials once, follows the call, and waits while it lasts', async ({ stage, tab }) => {
    await tab.goto(stage.page('/', `${keepEvents}${script}${widgetTag(stage, 'mode="dial" lang="pt-BR"')}`));
    await connects(tab);
    await clickInWidget(tab, 'input');
    for (const digit of '48999998888') await tab.press(digit);
    await until(
      () => inWidget(tab, `root.querySelector('input').value === '(48) 99999-8888'`),
      'the grouped number',
    );
    await tab.press('Enter');
    await shows(tab, 'Chamando seu telefone, depois (48) 99999-8888');
    expect(stage.relay.dials.map(({ to }) => to)).toEqual(['48999998888']);
    await until(() => inWidget(tab, `root.querySelector('input').value === ''`), 'the emptied field');
    expect(await inWidget(tab, `root.querySelector('button').ariaDisabled`)).toBe('true');
    await clickInWidget(tab, 'input');
    for (const digit of '11987') await tab.press(digit);
    await clickInWidget(tab, 'form button');
    await shows(tab, 'Há uma ligação em andamento.');
    expect(stage.relay.dials).toHaveLength(1);
    const calls = (await seenEvents(tab)).filter(({ name }) => name === 'call');
    expect(calls).toHaveLength(1);
  });

  test('a lost answer is asked for again with the same key, so that one press is one call', async ({
    stage,
    tab,
  }) => {
    await tab.goto(stage.page('/', `${script}${widgetTag(stage, 'mode="dial"')}`));
    await connects(tab);
    let lost = 0;
    stage.relay.override('/v1/calls', (request, response) => {
      if (++lost === 2) stage.relay.override('/v1/calls');
      request.resume();
      response.destroy();
    });
    await tab.evaluate(
      `document.querySelector('dialmark-widget').dial('48 3322-4455').then(({ to }) => { window.placed = to; })`,
    );
    await until(() => tab.evaluate(`window.placed === '4833224455'`), 'the call');
    const keys = stage.relay.requests.filter(({ method }) => method === 'POST').map(({ key }) => key);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(stage.relay.dials).toHaveLength(1);
  });

  test('the guard answers before anything is dialled, and every refusal is a sentence', async ({
    stage,
    tab,
  }) => {
    await tab.goto(stage.page('/', `${script}${widgetTag(stage, 'mode="dial"')}`));
    await connects(tab);
    const dial = (number: string) =>
      tab.evaluate<string>(
        `document.querySelector('dialmark-widget').dial(${JSON.stringify(number)}).then(() => 'placed', ({ code }) => code)`,
      );
    expect(await dial('no digits')).toBe('notANumber');
    expect(await dial('112')).toBe('emergency');
    await shows(tab, 'Dial emergencies on your phone.');
    for (const [status, code, sentence] of [
      [403, 'numberNotAllowed', 'You may not call this number here.'],
      [429, 'tooManyCalls', 'Too many calls. Wait a minute.'],
      [400, 'somethingNew', 'Not placed'],
    ] as const) {
      stage.relay.override(
        '/v1/calls',
        (_request, response) =>
          void response
            .writeHead(status, { 'content-type': 'application/problem+json' })
            .end(JSON.stringify({ code })),
      );
      expect(await dial('4833224455')).toBe(code === 'somethingNew' ? 'notPlaced' : code);
      await shows(tab, sentence);
    }
    expect(stage.relay.dials).toHaveLength(0);
  });
});
