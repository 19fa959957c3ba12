import type { KnownNumber } from '../../messages/views.ts';
import { sendRequest } from './send-request.ts';
import { useLatest } from './use-latest.ts';
import { useChanges } from './use-reply.ts';

const nothing: KnownNumber = {};

/** What the team knows of numbers on the screen, by their displayed form. It is empty until the relay has replied. */
export function useKnownNumbers(displays: readonly string[]): (display: string) => KnownNumber {
  const asked = [...new Set(displays)].slice(0, 200);
  const { value: known, reload } = useLatest(asked.join('\n'), async () => {
    const reply = asked.length > 0 ? await sendRequest('page.knownNumbers', { displays: asked }) : undefined;
    return new Map(reply?.ok ? asked.map((display, index) => [display, reply.value[index]!]) : []);
  });
  useChanges(['names', 'settings'], reload);
  return (display) => known?.get(display) ?? nothing;
}

/** The name that a number belongs to, above the number itself. */
export function CalleeName({ display, name }: { display: string; name?: string | undefined }) {
  return (
    <>
      {name !== undefined && <bdi class="callee-name">{name}</bdi>}
      <span class="number">{display}</span>
    </>
  );
}

/** Whether the agent gets no button to call: a rule refuses the number, and this agent may not override the rule. */
export const isForbidden = ({ refusal, mayOverride }: KnownNumber): boolean =>
  refusal !== undefined && !mayOverride;

/** The most important fact before a call: a refusal, else the colleague who is calling, else the last talk. */
export function KnownFacts({ known: { refusal, lease, lastTalk } }: { known: KnownNumber }) {
  if (refusal !== undefined) return <span class="problem do-not-call">{refusal}</span>;
  if (lease !== undefined) return <span class="caution lease">{lease}</span>;
  return lastTalk === undefined ? null : <span class="quiet last-talk">{lastTalk}</span>;
}
