import { useState } from 'preact/hooks';
import { browserName } from '../../browser-name.ts';
import { text } from '../../text.ts';
import { DestructiveQuestion } from '../parts/destructive-question.tsx';
import { plainText } from '../parts/plain-text.ts';
import { clearSiteData } from './clear-site-data.ts';
import { belongsToDomain, readSite, type Site } from './read-site.ts';

type Outcome = { kind: 'cleared' | 'refused'; host: string } | { kind: 'failed'; message: string };

export function ClearStep() {
  const [typed, setTyped] = useState('');
  const [isInvalid, setInvalid] = useState(false);
  const [pending, setPending] = useState<Site>();
  const [outcome, setOutcome] = useState<Outcome>();

  function showQuestion() {
    const site = readSite(typed);
    setInvalid(site === undefined);
    setOutcome(undefined);
    setPending(site);
  }

  async function clear(site: Site) {
    try {
      const cleared = await clearSiteData(site);
      setOutcome({ kind: cleared ? 'cleared' : 'refused', host: site.host });
    } catch (error) {
      setOutcome({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
    setPending(undefined);
  }

  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        showQuestion();
      }}
    >
      <div class="field">
        <label for="pbx-address">{text('registration_pbx')}</label>
        <div class="row">
          <input
            {...plainText}
            id="pbx-address"
            class="grow"
            value={typed}
            aria-invalid={isInvalid}
            aria-describedby="pbx-address-help"
            onInput={({ currentTarget }) => {
              setTyped(currentTarget.value);
              setPending(undefined);
            }}
          />
          <button type="submit" id="clear-site">
            {text('registration_clear')}
          </button>
        </div>
        <p id="pbx-address-help" class={isInvalid ? 'problem' : 'help'}>
          {text(isInvalid ? 'registration_pbxBad' : 'registration_pbxHelp')}
        </p>
      </div>
      {pending && (
        <DestructiveQuestion
          id="clear"
          key={pending.host}
          question={text('registration_clearQuestion', pending.host)}
          consequence={text(consequence(pending.host), pending.host)}
          yes={text('registration_clearYes', pending.host)}
          no={text('registration_clearNo')}
          onYes={() => void clear(pending)}
          onNo={() => setPending(undefined)}
        />
      )}
      <div role="status" id="clear-result" data-kind={outcome?.kind}>
        {outcome && (
          <p class={`notice ${outcome.kind === 'cleared' ? 'notice-good' : 'notice-bad'}`}>
            {outcomeText(outcome)}
          </p>
        )}
      </div>
    </form>
  );
}

function consequence(host: string) {
  if (browserName === 'firefox') return 'registration_clearFirefox';
  return belongsToDomain(host) ? 'registration_clearChromeDomain' : 'registration_clearChromeHost';
}

function outcomeText(outcome: Outcome): string {
  if (outcome.kind === 'failed') return text('registration_clearFailed', outcome.message);
  return outcome.kind === 'cleared'
    ? text('registration_cleared', outcome.host)
    : text('registration_clearRefused');
}
