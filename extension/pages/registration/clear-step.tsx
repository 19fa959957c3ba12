import { useEffect, useRef, useState } from 'preact/hooks';
import { text } from '../../text.ts';
import { browserName } from '../parts/browser-name.ts';
import { clearSiteData } from './clear-site-data.ts';
import { belongsToDomain, readSite, type Site } from './read-site.ts';

type Outcome = { kind: 'cleared' | 'refused'; host: string } | { kind: 'failed'; message: string };

export function ClearStep() {
  const [typed, setTyped] = useState('');
  const [bad, setBad] = useState(false);
  const [asked, setAsked] = useState<Site>();
  const [outcome, setOutcome] = useState<Outcome>();
  const answer = useRef<HTMLButtonElement>(null);
  // The careful answer gets the focus.
  useEffect(() => {
    if (asked) answer.current?.focus();
  }, [asked]);

  function sendRequest() {
    const site = readSite(typed);
    setBad(site === undefined);
    setOutcome(undefined);
    setAsked(site);
  }

  async function clear(site: Site) {
    try {
      const cleared = await clearSiteData(site);
      setOutcome({ kind: cleared ? 'cleared' : 'refused', host: site.host });
    } catch (error) {
      setOutcome({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
    setAsked(undefined);
  }

  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        sendRequest();
      }}
    >
      <div class="field">
        <label for="pbx-address">{text('registration_pbx')}</label>
        <div class="row">
          <input
            id="pbx-address"
            class="grow"
            dir="ltr"
            autocomplete="off"
            spellcheck={false}
            value={typed}
            aria-invalid={bad}
            aria-describedby="pbx-address-help"
            onInput={({ currentTarget }) => {
              setTyped(currentTarget.value);
              setAsked(undefined);
            }}
          />
          <button type="submit" id="clear-site">
            {text('registration_clear')}
          </button>
        </div>
        <p id="pbx-address-help" class={bad ? 'problem' : 'help'}>
          {text(bad ? 'registration_pbxBad' : 'registration_pbxHelp')}
        </p>
      </div>
      {asked && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend would not hold a question with its consequences.
        <div class="notice notice-warn" role="group" aria-labelledby="clear-question" id="clear-confirm">
          <p id="clear-question">
            <strong>{text('registration_clearQuestion', asked.host)}</strong>
          </p>
          <p>{text(consequence(asked.host), asked.host)}</p>
          <div class="row">
            <button type="button" id="clear-yes" onClick={() => void clear(asked)}>
              {text('registration_clearYes', asked.host)}
            </button>
            <button type="button" id="clear-no" ref={answer} onClick={() => setAsked(undefined)}>
              {text('registration_clearNo')}
            </button>
          </div>
        </div>
      )}
      <div role="status" id="clear-result" data-kind={outcome?.kind}>
        {outcome && (
          <p class={`notice ${outcome.kind === 'cleared' ? 'notice-good' : 'notice-bad'}`}>{said(outcome)}</p>
        )}
      </div>
    </form>
  );
}

function consequence(host: string) {
  if (browserName === 'firefox') return 'registration_clearFirefox';
  return belongsToDomain(host) ? 'registration_clearChromeDomain' : 'registration_clearChromeHost';
}

function said(outcome: Outcome): string {
  if (outcome.kind === 'failed') return text('registration_clearFailed', outcome.message);
  return outcome.kind === 'cleared'
    ? text('registration_cleared', outcome.host)
    : text('registration_clearRefused');
}
