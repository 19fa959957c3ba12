/**
 * When a click passes each step of the extension: a copy of the built one has two scripts before its own, which note the time at what
 * ours calls. Only this bench runs it.
 */
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** By the clock of the machine, in milliseconds since the epoch. */
export interface ClickSteps {
  /** The page's script has sent its message. */
  sent: number;
  /** The background has it. */
  received: number;
  /** The intent is written. */
  written: number;
  /** The request to the relay, or the service, is made; the latter where there are both. */
  requested: number;
}

/** An expression for the background of the copy: the steps of the newest click. */
export const newestSteps = 'globalThis.clickSteps';

const inBackground = `
  const now = () => performance.timeOrigin + performance.now();
  const { transaction } = IDBDatabase.prototype;
  const { fetch } = globalThis;
  let steps;
  chrome.runtime.onMessage.addListener(({ type, at }) => {
    if (type === 'content.dial') globalThis.clickSteps = steps = { received: now() };
    if (type === 'bench.sent') steps.sent = at;
  });
  IDBDatabase.prototype.transaction = function (...args) {
    const made = transaction.apply(this, args);
    if (steps && args[1] === 'readwrite') made.addEventListener('complete', () => (steps.written ??= now()));
    return made;
  };
  globalThis.fetch = (url, options) => {
    if (steps && /\\/calls?$/.test(url)) steps.requested = now();
    return fetch(url, options);
  };
`;

/** Reports when the click's own way is over. */
const inPage = `
  const send = chrome.runtime.sendMessage.bind(chrome.runtime);
  chrome.runtime.sendMessage = (message) => {
    const at = performance.timeOrigin + performance.now();
    if (message.type === 'content.dial') setTimeout(send, 200, { type: 'bench.sent', at });
    return send(message);
  };
`;

export async function copyWithClickSteps(extension: string, to: string): Promise<void> {
  await cp(extension, to, { recursive: true });
  const loader = path.join(to, 'service-worker-loader.js');
  await writeFile(path.join(to, 'click-steps.js'), inBackground);
  await writeFile(loader, `import './click-steps.js';\n${await readFile(loader, 'utf8')}`);
  const content = path.join(to, 'extension/content/main.iife.js');
  await writeFile(content, `{${inPage}}\n${await readFile(content, 'utf8')}`);
}
