/** The page at /status: shows /status.json whenever it changes, and asks for the metrics token where one is needed. */

const style = `
:root { color-scheme: light dark; background: Canvas; color: CanvasText; font: 100%/1.5 system-ui, sans-serif; }
body { max-width: 36rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.25rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.5rem 1.5rem; }
dt { color: GrayText; color: color-mix(in srgb, CanvasText 70%, Canvas); }
dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
label { display: block; }
input, button { font: inherit; padding: 0.25rem 0.5rem; }
button { display: block; margin-top: 0.5rem; }
input { box-sizing: border-box; width: 20rem; max-width: 100%; }
[role='status'] { min-height: 1.5em; }
[hidden] { display: none; }
@media (width < 24rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: 0.5rem; } }
`;

/** The token stays in this page's memory and leaves it in a header alone. */
const script = `
const form = document.querySelector('form');
const list = document.querySelector('dl');
const notice = document.querySelector('[role=status]');
let token = '';
/** The tag of the figures on the page. */
let shown = '';
let timer;

const time = (iso) => iso === undefined ? 'none since the start' : new Date(iso).toLocaleString();
const overrides = (sums) =>
  sums === undefined ? 'none' : sums.count + ', of them ' + sums.mostBy.count + ' by the key ' + sums.mostBy.key;
const waiting = (queue) => queue === undefined ? 'none' : queue.calls + ', the first since ' + time(queue.since);
const rows = (status) => [
  ['Open streams', status.streams],
  ['Calls being placed', status.dialsUnderWay],
  ['Waiting to be forwarded', status.forwardsPending ?? 'not set up'],
  ['Waiting to be logged in a CRM', status.entriesPending ?? 'not set up'],
  ...(status.entriesDead === undefined
    ? []
    : [
        ['Not logged, given up', status.entriesDead],
        ['Not logged, ask an agent', status.entriesAsking],
        ['Not logged, need a record', waiting(status.withoutRecord)],
      ]),
  ['Rules overridden in 24 hours', overrides(status.overrides)],
  ['Last notification', time(status.lastNotificationAt)],
  ['Running since', time(status.startedAt)],
  ['Version', status.version],
];

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

async function show() {
  clearTimeout(timer);
  let text = '';
  try {
    const response = await fetch('status.json?shown=' + shown, {
      cache: 'no-store',
      headers: token === '' ? {} : { authorization: 'Bearer ' + token },
    });
    form.hidden = response.status !== 401;
    list.hidden = !response.ok;
    if (response.ok) {
      const status = await response.json();
      shown = response.headers.get('etag') ?? '';
      list.replaceChildren(...rows(status).flatMap(([name, value]) => [element('dt', name), element('dd', value)]));
    } else if (response.status !== 401) text = 'The relay answered with HTTP ' + response.status + '.';
    else if (token !== '') text = 'This is not the token in DIALMARK_METRICS_TOKEN.';
  } catch {
    list.hidden = true;
    shown = '';
    text = 'The relay does not answer. Trying again…';
  }
  if (notice.textContent !== text) notice.textContent = text;
  // The next reply comes with the next change.
  if (form.hidden) timer = setTimeout(show, text === '' ? 200 : 5000);
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  token = form.elements.token.value.trim();
  form.reset();
  show();
});
show();
`;

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Dialmark relay</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Dialmark relay</h1>
<dl hidden></dl>
<form hidden>
<label for="token">Metrics token</label>
<input id="token" name="token" type="password" autocomplete="off" required>
<button>Show</button>
</form>
<p role="status"></p>
</main>
<script>${script}</script>
</body>
</html>
`;

export const statusPage = { html, style, script };
