/** The widget on pages: what it shows, how pages style and move it, and its dial mode. */
import type { Call } from '../shared/call/call.ts';
import { until } from '../testing/until.ts';
import { expect } from './fixtures.ts';
import { aCall, ended, test, widgetScript, widgetTag } from './widget/test-site.ts';
import {
  clickInWidget,
  inWidget,
  keepEvents,
  seenEvents,
  stateOfWidget,
  textOfWidget,
  waitForConnection,
  waitForText,
} from './widget/widget-in-tab.ts';

test('shows a call from ringing to its end: clock, outcome, recording, call path', async ({ site, tab }) => {
  await tab.goto(site.page('/', `${keepEvents}${widgetScript}${widgetTag(site, 'country="BR"')}`));
  await waitForText(tab, 'No calls yet');
  const call = aCall({ createdAt: new Date(Date.now() - 61_000).toISOString() });
  site.relay.push(call);
  await waitForText(tab, 'Ringing your phone, then (48) 3322-4455');
  const clock = `root.querySelector('[part=clock]').textContent`;
  const first = await inWidget<string>(tab, clock);
  expect(first).toMatch(/^1:\d\d$/);
  await until(async () => (await inWidget<string>(tab, clock)) !== first, 'the clock to run');
  expect(await textOfWidget(tab)).not.toMatch(/connected/i);

  site.relay.push(
    ended(call, {
      recordingUrl: `${site.url}/recording.wav`,
      legs: [
        { id: '1700000000.1', state: 'Up', callerNumber: '1105', callerName: 'Ana' },
        { id: '1700000009.2', state: 'Up', callerNumber: '4833224455' },
        { id: '1700000040.3', state: 'Up', callerNumber: '1106' },
      ],
    }),
  );
  await waitForText(tab, 'Talked for 1:05');
  expect(await stateOfWidget(tab)).toBe('disconnected');
  const drawn = await inWidget<unknown>(
    tab,
    `({ player: root.querySelector('audio').src, link: root.querySelector('a').href, dots: root.querySelectorAll('circle').length,
        rows: [...root.querySelectorAll('tbody tr')].map((row) => row.innerText.split(/\\s+/)) })`,
  );
  expect(drawn).toEqual({
    player: `${site.url}/recording.wav`,
    link: `${site.url}/recording.wav`,
    dots: 3,
    rows: [
      ['0:00', 'Ana', 'Answered'],
      ['0:09', '4833224455', 'Answered'],
      ['0:40', '1106', 'Answered'],
    ],
  });
  // One event per change, which bubbles through the shadow root to the document.
  expect((await seenEvents(tab)).map(({ name, state }) => state ?? name)).toEqual([
    'ready',
    'callingCaller',
    'disconnected',
  ]);
  expect(tab.errors().filter((error) => !error.includes('404'))).toEqual([]);
});

test('reports that it is ready also where another widget of the page was ready before', async ({
  site,
  tab,
}) => {
  const call = ended(aCall());
  site.relay.history = [call];
  await tab.goto(site.page('/', `${keepEvents}${widgetScript}${widgetTag(site)}`));
  await waitForConnection(tab);
  await until(async () => (await seenEvents(tab)).length === 1, 'the event of the first widget');
  // As an application shows another view.
  await tab.evaluate(`(() => {
    const first = document.querySelector('dialmark-widget');
    const second = document.body.appendChild(first.cloneNode());
    second.addEventListener('dialmark:ready', ({ detail }) => { window.known = detail.calls.map(({ id }) => id); });
  })()`);
  await until(() => tab.evaluate('window.known !== undefined'), 'the event of the second widget');
  expect(await tab.evaluate('known')).toEqual([call.id]);
  // A widget that moves stays ready.
  await tab.evaluate(`document.body.prepend(document.querySelector('dialmark-widget:last-of-type'))`);
  // A new connection would show in the widget's next frame.
  await tab.evaluate('new Promise(requestAnimationFrame).then(() => true)');
  await waitForConnection(tab);
  expect((await seenEvents(tab)).map(({ name }) => name)).toEqual(['ready', 'ready']);
});

test('describes each failure by one sentence in the language of the page', async ({ site, tab }) => {
  const failed = (
    reason: 'refused' | 'callerNoAnswer' | 'notSent',
    code: 'wrongToken' | 'lostCall' | 'unreachable',
  ) => aCall({ state: 'failed', reason, error: { code, message: 'x' }, revision: 2 });
  site.relay.history = [failed('refused', 'wrongToken')];
  await tab.goto(site.page('/', `${widgetScript}<div lang="pt-BR">${widgetTag(site)}</div>`));
  await waitForText(tab, 'Avise o administrador.');
  site.relay.push(failed('callerNoAnswer', 'lostCall'));
  await waitForText(tab, 'Seu ramal não foi atendido');
  site.relay.push(failed('notSent', 'unreachable'));
  await waitForText(tab, 'O serviço não responde. Tente mais tarde.');
  await tab.evaluate(`document.querySelector('dialmark-widget').lang = 'es'`);
  await waitForText(tab, 'El servicio no responde.');
});

test('shows hostile text as text', async ({ site, tab }) => {
  const nasty = [
    '<img src=x onerror="window.owned=1">',
    '<script>window.owned=1</script>',
    '"><svg onload=window.owned=1>',
    '\u202Etxt.exe\u2066',
    'x'.repeat(10_000),
    'javascript:window.owned=1',
  ];
  await tab.goto(site.page('/', `${widgetScript}<div style="width:20rem">${widgetTag(site)}</div>`));
  await waitForConnection(tab);
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
    site.relay.push(call);
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
  expect(await textOfWidget(tab)).toContain('cannot be played here');
});

test('shows a link with a note for a recording that the page’s policy forbids', async ({ site, tab }) => {
  // The page's own policy forbids media of other hosts, as browsers do with http inside https.
  const page = site.page('/', `${widgetScript}${widgetTag(site)}`, {
    'content-security-policy': `default-src 'self'; connect-src 'self' ${site.relay.url}`,
  });
  site.relay.history = [ended(aCall(), { recordingUrl: 'http://127.0.0.1:9/recording.mp3' })];
  await tab.goto(page);
  await waitForText(tab, 'Recording (127.0.0.1:9)');
  await inWidget(
    tab,
    `{ const audio = root.querySelector('audio'); if (audio) { audio.preload = 'auto'; audio.load(); } }`,
  );
  await waitForText(tab, 'It cannot be played here.');
  expect(await inWidget(tab, `root.querySelector('audio')?.checkVisibility() ?? false`)).toBe(false);
});

test('looks the same under a strict policy with Trusted Types, isolated from the page’s styles', async ({
  site,
  tab,
}) => {
  site.file(
    '/page.css',
    'p, section { color: rgb(255, 0, 0) !important; } body { font-size: 40px; text-transform: uppercase }',
    'text/css',
  );
  site.relay.history = [ended(aCall(), { legs: [{ id: '1' }] })];
  await tab.goto(
    site.page(
      '/',
      `<link rel="stylesheet" href="/page.css">${widgetScript}${widgetTag(site, 'mode="dial"')}<p id="p">text</p>`,
      {
        'content-security-policy': `default-src 'self'; connect-src 'self' ${site.relay.url}; require-trusted-types-for 'script'; trusted-types 'none'`,
      },
    ),
  );
  await waitForText(tab, 'Talked for 1:05');
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

test('can be styled by parts or custom properties', async ({ site, tab }) => {
  const style =
    '<style>dialmark-widget { --dialmark-radius: 3px } dialmark-widget::part(state) { color: rgb(1, 2, 3) }</style>';
  site.relay.history = [ended(aCall())];
  await tab.goto(site.page('/', `${style}${widgetScript}${widgetTag(site, 'theme="dark"')}`));
  await waitForText(tab, 'Talked');
  expect(
    await inWidget(
      tab,
      `[getComputedStyle(root.querySelector('section')).borderRadius, getComputedStyle(root.querySelector('[part=state]')).color,
        getComputedStyle(root.querySelector('section')).backgroundColor]`,
    ),
  ).toEqual(['3px', 'rgb(1, 2, 3)', 'rgb(29, 31, 35)']);
});

test('keeps working when moved, removed, put back, or created before the script', async ({ site, tab }) => {
  site.relay.history = [ended(aCall())];
  await tab.goto(site.page('/', `<div id="a">${widgetTag(site)}</div><div id="b"></div>`));
  // A property that is set before the class is defined.
  await tab.evaluate(`(() => { const early = document.createElement('dialmark-widget'); early.setAttribute('relay', ${JSON.stringify(site.relay.url)});
    early.getTicket = async () => (await (await fetch('/ticket')).json()).ticket; document.body.append(early);
    const script = document.createElement('script'); script.type = 'module'; script.src = '/widget.js'; document.head.append(script); })()`);
  await waitForText(tab, 'Talked', 0);
  await waitForText(tab, 'Talked', 1);
  const globals = await tab.evaluate<string[]>(
    `Object.keys(window).filter((name) => /dialmark|preact/i.test(name))`,
  );
  expect(globals).toEqual([]);
  const before = site.relay.requests.length;
  await tab.evaluate(`document.querySelector('#b').append(document.querySelector('dialmark-widget'))`);
  await waitForText(tab, 'Talked', 0);
  expect(site.relay.requests.length).toBe(before);
  // Another copy of the file, as in a second bundle.
  await tab.evaluate(`import('/widget.js?copy').then(() => true)`);
  await tab.evaluate(
    `(() => { window.kept = [...document.querySelectorAll('dialmark-widget')]; for (const each of kept) each.remove(); })()`,
  );
  await until(() => site.relay.streams.size === 0, 'no stream when no widget is left');
  await tab.evaluate(`document.body.append(kept[0])`);
  await waitForConnection(tab);
  const call = aCall();
  site.relay.push(call);
  await until(async () => (await stateOfWidget(tab)) === 'callingCaller', 'the call');
  expect(site.relay.streams.size).toBe(1);
});

test('keeps its style, calls or stream when moved to the document of a frame', async ({ site, tab }) => {
  site.relay.history = [ended(aCall())];
  site.page('/inside', '');
  await tab.goto(
    site.page(
      '/',
      `${widgetScript}${widgetTag(site)}<iframe src="/inside" width="600" height="400"></iframe>`,
    ),
  );
  await waitForText(tab, 'Talked');
  await tab.evaluate(`(() => { window.moved = document.querySelector('dialmark-widget');
    document.querySelector('iframe').contentDocument.body.append(moved); })()`);
  const shown = () =>
    tab.evaluate<string[]>(
      `((section) => [section.ownerDocument.defaultView.getComputedStyle(section).borderRadius,
        section.querySelector('[part=state]').innerText])(moved.shadowRoot.querySelector('section'))`,
    );
  expect(await shown()).toEqual(['10px', 'Talked for 1:05']);
  await tab.evaluate('document.body.append(moved)');
  expect(await shown()).toEqual(['10px', 'Talked for 1:05']);
  expect(site.relay.streams.size).toBe(1);
  expect(tab.errors().filter((error) => !error.includes('404'))).toEqual([]);
});

test('reports missing attributes until they are set', async ({ site, tab }) => {
  await tab.goto(site.page('/', `${keepEvents}${widgetScript}<dialmark-widget></dialmark-widget>`));
  await waitForText(tab, 'Not set up');
  expect((await seenEvents(tab)).map(({ code }) => code)).toEqual(['setUp']);
  await tab.evaluate(`(() => { const widget = document.querySelector('dialmark-widget'); widget.setAttribute('relay', ${JSON.stringify(site.relay.url)});
    widget.setAttribute('ticket-url', '/ticket'); })()`);
  await waitForText(tab, 'No calls yet');
});

test('renders as soon as the script has run', async ({ site, tab }) => {
  await tab.goto(site.page('/', widgetTag(site)));
  // Measured in the task that ends the script, before any reply, frame or timer.
  const height = await tab.evaluate<number>(
    `(async () => { const text = await (await fetch('/widget.js')).text();
      const measure = "globalThis.height = document.querySelector('dialmark-widget').shadowRoot.querySelector('section').getBoundingClientRect().height";
      await import(URL.createObjectURL(new Blob([text, ';', measure], { type: 'text/javascript' }))); return globalThis.height; })()`,
  );
  expect(height).toBeGreaterThan(20);
});

test.describe('dial mode', () => {
  test('groups digits while typing, dials once, is busy during the call', async ({ site, tab }) => {
    await tab.goto(
      site.page('/', `${keepEvents}${widgetScript}${widgetTag(site, 'mode="dial" lang="pt-BR"')}`),
    );
    await waitForConnection(tab);
    await clickInWidget(tab, 'input');
    for (const digit of '48999998888') await tab.press(digit);
    await until(
      () => inWidget(tab, `root.querySelector('input').value === '(48) 99999-8888'`),
      'the grouped number',
    );
    await tab.press('Enter');
    await waitForText(tab, 'Chamando seu ramal, depois (48) 99999-8888');
    expect(site.relay.dials.map(({ to }) => to)).toEqual(['48999998888']);
    await until(() => inWidget(tab, `root.querySelector('input').value === ''`), 'the emptied field');
    expect(await inWidget(tab, `root.querySelector('button').ariaDisabled`)).toBe('true');
    await clickInWidget(tab, 'input');
    // A key that is released late.
    await tab.hold('Enter');
    expect((await seenEvents(tab)).filter(({ name }) => name === 'error')).toEqual([]);
    for (const digit of '11987') await tab.press(digit);
    await clickInWidget(tab, 'form button');
    await waitForText(tab, 'Há uma chamada em andamento.');
    expect(site.relay.dials).toHaveLength(1);
    const calls = (await seenEvents(tab)).filter(({ name }) => name === 'call');
    expect(calls).toHaveLength(1);
    const placed = await tab.evaluate<Call>(`document.querySelector('dialmark-widget').calls[0]`);
    site.relay.push(ended(placed));
    await until(
      () => inWidget(tab, `root.querySelector('[part=dial-fault]').textContent === ''`),
      'no fault',
    );
    expect(await inWidget(tab, `root.querySelector('input').value`)).toBe('1198-7');
  });

  test('keeps the next number, typed while a call is placed', async ({ site, tab }) => {
    let answer: (() => void) | undefined;
    site.relay.override('/v1/calls', (request, response) => {
      if (request.method !== 'POST') return void response.end('{"calls":[]}');
      answer = () => {
        site.relay.override('/v1/calls');
        response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(aCall()));
      };
    });
    await tab.goto(site.page('/', `${widgetScript}${widgetTag(site, 'mode="dial" lang="pt-BR"')}`));
    await waitForConnection(tab);
    const type = async (digits: string) => {
      for (const digit of digits) await tab.press(digit);
    };
    await clickInWidget(tab, 'input');
    await type('4833224455');
    await tab.press('Enter');
    await until(() => answer, 'the request');
    await tab.press('Control+a');
    await type('4733331234');
    answer!();
    await waitForText(tab, 'Chamando seu ramal, depois (48) 3322-4455');
    expect(await inWidget(tab, `root.querySelector('input').value`)).toBe('(47) 3333-1234');
  });

  test('takes a held Enter for one press, in the field or on the button that hangs up', async ({
    site,
    tab,
  }) => {
    site.tickets.rights.push('hangup');
    const placed = aCall({ canHangUp: true });
    let answer: (() => void) | undefined;
    site.relay.override('/v1/calls', (request, response) => {
      if (request.method !== 'POST') return void response.end('{"calls":[]}');
      answer = () => void response.writeHead(201).end(JSON.stringify(placed));
    });
    let hangUps = 0;
    let end = () => {};
    site.relay.override(`/v1/calls/${placed.id}`, (_request, response) => {
      hangUps++;
      end = () => void response.writeHead(202).end('{}');
    });
    await tab.goto(site.page('/', `${keepEvents}${widgetScript}${widgetTag(site, 'mode="dial"')}`));
    await waitForConnection(tab);
    await clickInWidget(tab, 'input');
    for (const digit of placed.to) await tab.press(digit);
    await tab.hold('Enter', 5);
    await until(() => answer, 'the request');
    answer!();
    await waitForText(tab, 'Ringing your phone');
    expect((await seenEvents(tab)).map(({ name }) => name)).toEqual(['ready', 'call']);
    expect(await textOfWidget(tab)).not.toContain('A call is in progress.');

    for (let times = 0; times < 3; times++) {
      const focused = await inWidget<string>(tab, 'root.activeElement.part.value');
      if (focused !== 'hang-up') await tab.press('Tab');
    }
    await tab.hold('Enter', 5);
    await until(() => hangUps, 'the request to hang up');
    end();
    site.relay.push(ended(placed));
    await waitForText(tab, 'Talked');
    expect(hangUps).toBe(1);
  });

  test('asks once for a number that is refused while Enter is held', async ({ site, tab }) => {
    let requests = 0;
    site.relay.override('/v1/calls', (request, response) => {
      if (request.method !== 'POST') return void response.end('{"calls":[]}');
      requests++;
      response.writeHead(403).end('{"code":"forbidden"}');
    });
    await tab.goto(site.page('/', `${keepEvents}${widgetScript}${widgetTag(site, 'mode="dial"')}`));
    await waitForConnection(tab);
    await clickInWidget(tab, 'input');
    for (const digit of '4833224455') await tab.press(digit);
    await tab.hold('Enter', 5);
    await until(async () => (await seenEvents(tab)).length > 1, 'the refusal');
    expect((await seenEvents(tab)).map(({ name }) => name)).toEqual(['ready', 'error']);
    expect(requests).toBe(1);
  });

  test('keeps the digits typed in its field from shortcuts of the page', async ({ site, tab }) => {
    const shortcuts = `<script>
      window.pressed = [];
      addEventListener('keydown', ({ key, target }) => target.localName !== 'input' && pressed.push(key));
    </script>`;
    await tab.goto(site.page('/', `${shortcuts}${widgetScript}${widgetTag(site, 'mode="dial"')}`));
    await waitForConnection(tab);
    await clickInWidget(tab, 'input');
    for (const key of ['4', '8', 'Escape']) await tab.press(key);
    expect(await inWidget(tab, 'root.activeElement.value')).toBe('48');
    expect(await tab.evaluate('pressed')).toEqual(['Escape']);
  });

  test('dials nothing while offline, then works again', async ({ site, tab }) => {
    site.relay.override('/v1/events', (_request, response) => void response.destroy());
    await tab.goto(site.page('/', `${widgetScript}${widgetTag(site, 'mode="dial"')}`));
    await waitForText(tab, 'Offline.');
    const disabled = `root.querySelector('[part=button]').getAttribute('aria-disabled')`;
    expect(await inWidget(tab, disabled)).toBe('true');
    const dial = `document.querySelector('dialmark-widget').dial('4833224455').then(() => 'placed', ({ code }) => code)`;
    expect(await tab.evaluate(dial)).toBe('notPlaced');
    site.relay.override('/v1/events');
    await clickInWidget(tab, '[part=retry]');
    await waitForConnection(tab);
    await until(async () => (await inWidget(tab, disabled)) === 'false', 'the button enabled');
    expect(site.relay.dials).toHaveLength(0);
    expect(await tab.evaluate(dial)).toBe('placed');
  });

  test('retries with the same key after a lost reply, so that one press is one call', async ({
    site,
    tab,
  }) => {
    await tab.goto(site.page('/', `${widgetScript}${widgetTag(site, 'mode="dial"')}`));
    await waitForConnection(tab);
    let lost = 0;
    site.relay.override('/v1/calls', (request, response) => {
      if (++lost === 2) site.relay.override('/v1/calls');
      request.resume();
      response.destroy();
    });
    await tab.evaluate(
      `document.querySelector('dialmark-widget').dial('48 3322-4455').then(({ to }) => { window.placed = to; })`,
    );
    await until(() => tab.evaluate(`window.placed === '4833224455'`), 'the call');
    const keys = site.relay.requests.filter(({ method }) => method === 'POST').map(({ key }) => key);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(site.relay.dials).toHaveLength(1);
  });

  test('rejects a number before dialling it, each refusal with its sentence', async ({ site, tab }) => {
    await tab.goto(site.page('/', `${widgetScript}${widgetTag(site, 'mode="dial"')}`));
    await waitForConnection(tab);
    const dial = (number: string) =>
      tab.evaluate<string>(
        `document.querySelector('dialmark-widget').dial(${JSON.stringify(number)}).then(() => 'placed', ({ code }) => code)`,
      );
    expect(await dial('no digits')).toBe('notANumber');
    expect(await dial('112')).toBe('emergency');
    await waitForText(tab, 'Dial emergencies on your phone.');
    for (const [status, code, sentence] of [
      [403, 'numberNotAllowed', 'Number not allowed here.'],
      [429, 'tooManyCalls', 'Too many calls. Wait a minute.'],
      [400, 'somethingNew', 'Not placed'],
    ] as const) {
      site.relay.override(
        '/v1/calls',
        (_request, response) =>
          void response
            .writeHead(status, { 'content-type': 'application/problem+json' })
            .end(JSON.stringify({ code })),
      );
      expect(await dial('4833224455')).toBe(code === 'somethingNew' ? 'notPlaced' : code);
      await waitForText(tab, sentence);
    }
    expect(site.relay.dials).toHaveLength(0);
  });
});
