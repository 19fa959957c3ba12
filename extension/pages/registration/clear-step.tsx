import { useState } from 'preact/hooks';
import { browserName } from '../../browser-name.ts';
import { text } from '../../text.ts';
import { DestructiveQuestion } from '../parts/destructive-question.tsx';
import { Button, InputField } from '../parts/form.tsx';
import { clearSiteData } from './clear-site-data.ts';
import { belongsToDomain, readSite, type Site } from './read-site.ts';

type ClearResult = { kind: 'cleared' | 'refused'; host: string } | { kind: 'failed'; message: string };

export function ClearStep() {
  const [typed, setTyped] = useState('');
  const [isInvalid, setInvalid] = useState(false);
  const [pending, setPending] = useState<Site>();
  const [result, setResult] = useState<ClearResult>();

  function showQuestion() {
    const site = readSite(typed);
    setInvalid(site === undefined);
    setResult(undefined);
    setPending(site);
  }

  async function clear(site: Site) {
    try {
      const cleared = await clearSiteData(site);
      setResult({ kind: cleared ? 'cleared' : 'refused', host: site.host });
    } catch (error) {
      setResult({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
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
      <InputField
        id="pbx-address"
        label={text('registration_pbx')}
        {...{ [isInvalid ? 'problem' : 'help']: text('registration_pbxHelp') }}
        value={typed}
        onText={(value) => {
          setTyped(value);
          setPending(undefined);
          // Both results are about the earlier address.
          setInvalid(false);
          setResult(undefined);
        }}
      >
        <Button type="submit" id="clear-site" label={text('registration_clear')} />
      </InputField>
      {pending && (
        <DestructiveQuestion
          id="clear"
          key={pending.host}
          question={text('registration_clearQuestion', pending.host)}
          consequence={text(consequence(pending.host), pending.host)}
          yes={text('registration_clearYes', pending.host)}
          onYes={() => void clear(pending)}
          onNo={() => setPending(undefined)}
        />
      )}
      <div role="status" id="clear-result" data-kind={result?.kind}>
        {result && (
          <p class={`notice ${result.kind === 'cleared' ? 'notice-good' : 'notice-bad'}`}>
            {resultText(result)}
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

function resultText(result: ClearResult): string {
  if (result.kind === 'failed') return text('registration_clearFailed', result.message);
  return result.kind === 'cleared'
    ? text('registration_cleared', result.host)
    : text('registration_clearRefused');
}
