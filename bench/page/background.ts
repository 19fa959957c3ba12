/** Replies to our content script as the extension's background does, by the same scan and judge. */
import type { FoundNumber } from '../../extension/messages/content.ts';
import type { JudgedNumber } from '../../extension/messages/views.ts';
import { dialDigits } from '../../shared/numbers/dial/dial-plan.ts';
import type { Candidate } from '../../shared/numbers/number.ts';
import { judge } from '../../shared/numbers/reading/judge.ts';
import { scan } from '../../shared/numbers/text/scan.ts';

const settings = { country: 'BR' as const, extensions: [], dialRules: [] };

function judged(candidate: Candidate): JudgedNumber | undefined {
  const judgement = judge(candidate, settings, { lang: 'pt-BR' });
  if (!('number' in judgement)) return undefined;
  const { display } = judgement.number;
  return { display, to: dialDigits(judgement.number, settings).to, verdict: 'allow' };
}

const answers: Record<string, (message: { texts: string[] }) => unknown> = {
  'content.hello': () => ({
    underline: 'dotted',
    colorScheme: 'light dark',
    tipDelayMs: 0,
    texts: {},
    direction: 'ltr',
  }),
  'content.find': ({ texts }) =>
    texts.map((text): FoundNumber[] =>
      scan(text).flatMap((candidate) => {
        const { start, end, evidence, ...source } = candidate;
        const number = judged(candidate);
        return number ? [{ start, end, source, number }] : [];
      }),
    ),
};

chrome.runtime.onMessage.addListener((message, _sender, reply) => {
  reply({ ok: true, value: answers[message.type]?.(message) ?? null });
});
