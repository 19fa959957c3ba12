import type { ComponentChildren } from 'preact';
import browser from 'webextension-polyfill';
import { text } from '../../text.ts';
import { type PageProps, startPage } from '../parts/start-page.tsx';
import { useReply } from '../parts/use-reply.ts';

/** First run: three steps to the first call, and what leaves the browser. */
export function Welcome({ initial }: PageProps) {
  const [settings] = useReply('page.settings', {}, ['settings']);
  const [state] = useReply('page.state', {}, ['settings', 'calls']);
  const view = settings.state === 'ready' ? settings.value : initial;
  const connected = state.state === 'ready' && state.value.problem === undefined;
  const managed = view.locked.some((path) => path.startsWith('connection'));
  const { enabled, everywhere } = view.settings.sites;
  const called = state.state === 'ready' && state.value.recent.length > 0;
  return (
    <main class="stack">
      <header>
        <img src="../../icons/128.png" alt="" width="64" height="64" />
        <h1>{text('welcome_title')}</h1>
        <p>{text('welcome_intro')}</p>
      </header>
      <ol class="steps">
        <Step title={text('welcome_step_connect')} done={connected}>
          <p>{text(managed ? 'welcome_step_connectManaged' : 'welcome_step_connectText')}</p>
          <button
            type="button"
            id="open-options"
            class={connected ? '' : 'primary'}
            onClick={() => void browser.runtime.openOptionsPage()}
          >
            {text('welcome_openSettings')}
          </button>
        </Step>
        <Step title={text('welcome_step_site')} done={everywhere || enabled.length > 0}>
          <p>{text('welcome_step_siteText')}</p>
        </Step>
        <Step title={text('welcome_step_call')} done={called}>
          <p>{text('welcome_step_callText')}</p>
        </Step>
      </ol>
      <p class="notice">
        {text('welcome_privacy')} <a href="../privacy/index.html">{text('privacy_title')}</a>
      </p>
    </main>
  );
}

function Step({ title, done, children }: { title: string; done: boolean; children: ComponentChildren }) {
  return (
    <li class="card" data-done={done}>
      <h2>
        {title}
        {done && <span class="done"> · {text('welcome_done')}</span>}
      </h2>
      {children}
    </li>
  );
}

await startPage(Welcome, () => text('welcome_title'));
