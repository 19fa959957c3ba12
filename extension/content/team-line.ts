/**
 * The tip's line for what the team knows: the record of the page, and the person whom the number reaches. The click
 * repeats the record. The line is requested when the tip is shown, not before.
 */
import type { RecordKey } from '../../shared/record/template.ts';
import type { TipFacts } from '../messages/content.ts';
import type { ShownRecord } from '../messages/views.ts';
import type { BackgroundConnection } from './background-connection.ts';
import type { Target } from './click-target.ts';
import { linksInRow } from './name-beside.ts';
import type { PageOverlay } from './overlay.ts';

export type TeamLine = ReturnType<typeof createTeamLine>;

export function createTeamLine(overlay: PageOverlay, background: BackgroundConnection) {
  let key: Target['key'] | undefined;
  let shown: ShownRecord | undefined;
  let facts: TipFacts | undefined;
  let turns = 0;
  let isHidden = false;

  const write = () =>
    overlay.showTeamLine([facts?.words, shown?.label].filter(Boolean).join(' · '), facts?.isRefused);

  return {
    /**
     * Shows the line in the tip of a target. What was shown once stays for this target, whatever the page does
     * meanwhile.
     */
    show(target: Target) {
      const isShown = target.key === key && !isHidden;
      isHidden = false;
      if (isShown) return write();
      key = target.key;
      shown = facts = undefined;
      const turn = ++turns;
      void background.send('content.record', { links: linksInRow(target) }).then(({ value }) => {
        if (turn !== turns) return;
        shown = value;
        write();
      });
      const ask = async (isNameShown?: true): Promise<void> => {
        const { display } = target.number;
        const reply = await background.send('content.tip', { display, ...(isNameShown && { isNameShown }) });
        if (turn !== turns) return;
        facts = reply.value;
        write();
        if (facts?.isPartial) await ask(true);
      };
      void ask();
    },
    /** Keeps what was shown, for the click that hides the tip. */
    hide() {
      isHidden = true;
    },
    /** @returns undefined if the tip has not shown a record yet. null if it knows that there is not a record. */
    recordOf: (target: Target): RecordKey | null | undefined =>
      target.key === key ? shown?.record : undefined,
  };
}
