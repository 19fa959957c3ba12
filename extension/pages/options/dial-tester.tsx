import { useState } from 'preact/hooks';
import { guardSentence } from '../../guard-sentence.ts';
import { countryName, isTextKey, text } from '../../text.ts';
import { InputField } from '../parts/form.tsx';
import { useReply } from '../parts/use-reply.ts';
import { useForm } from './settings-form.ts';
import { type Trial, tryNumber } from './try-number.ts';

/** Shows what the present form would dial, by which rule, and what the guard decides. */
export function DialTester() {
  const { draft } = useForm();
  const [input, setInput] = useState('');
  const [rules] = useReply('page.rules', {}, ['settings']);
  const ofTeam = (rules.state === 'ready' && rules.value) || undefined;
  const trial = tryNumber(input, draft, new Date(), ofTeam);
  return (
    <div class="tester">
      <InputField
        id="try-number"
        label={text('options_try')}
        value={input}
        onText={setInput}
        input={{ type: 'tel', placeholder: '(48) 99999-8888', 'aria-describedby': 'try-result' }}
      />
      <div id="try-result" role="status" data-result={trial.result}>
        <TrialResult trial={trial} />
      </div>
    </div>
  );
}

function TrialResult({ trial }: { trial: Trial }) {
  if (trial.result === 'empty') return null;
  if (trial.result === 'settingsInvalid') return <p class="problem">{text('options_trySettingsInvalid')}</p>;
  if (trial.result === 'notANumber') {
    const key = trial.why === 'emergency' ? 'guard_emergency' : `options_not_${trial.why}`;
    return <p class="problem">{text(isTextKey(key) ? key : 'error_notANumber')}</p>;
  }
  const { number, digits, decision, rule } = trial;
  const reason = decision.verdict === 'allow' ? '' : guardSentence(decision);
  return (
    <dl class="facts">
      <dt>{text('options_tryUnderstood')}</dt>
      <dd>
        <span class="number">{number.display}</span> · {text(`options_type_${number.type}`)}
        {number.country !== undefined && ` · ${countryName(number.country)}`}
      </dd>
      <dt>{text('page_willDial')}</dt>
      <dd>
        <strong class="number" id="try-digits">
          {digits.to}
        </strong>
      </dd>
      <dt>{text('options_tryBy')}</dt>
      <dd>
        {digits.rule === undefined
          ? text('options_tryDefaultPlan')
          : text('options_tryRule', digits.rule + 1, rule?.note ?? text('options_ruleUntitled'))}
      </dd>
      {number.extension !== undefined && (
        <>
          <dt>{text('options_tryExtension')}</dt>
          <dd class="number">{number.extension}</dd>
        </>
      )}
      <dt>{text('options_tryGuard')}</dt>
      <dd data-verdict={decision.verdict} class={`verdict verdict-${decision.verdict}`}>
        {text(`options_verdict_${decision.verdict}`)}
        {reason && `: ${reason}`}
      </dd>
    </dl>
  );
}
