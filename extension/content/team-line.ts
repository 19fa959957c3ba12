/**
 * The line of the tip for what the team knows: the record of the page, which the click repeats, and whom the number
 * reaches. Asked for when the tip is shown, never before.
 */
import type { RecordKey } from '../../shared/record/template.ts';
import type { ContentSettings, TipFacts } from '../messages/content.ts';
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
  let hasTeamLine = false;

  const write = () =>
    overlay.showTeamLine([facts?.words, shown?.label].filter(Boolean).join(' · '), facts?.isRefused);

  return {
    /** Names it in the tip of a target. What was named once stays, whatever the page does meanwhile. */
    show(target: Target) {
      if (!hasTeamLine) return;
      const isShown = target.key === key && !isHidden;
      isHidden = false;
      if (isShown) return write();
      key = target.key;
      shown = facts = undefined;
      const turn = ++turns;
      void background.send('content.record', { links: linksInRow(target) }).then((reply) => {
        if (turn !== turns) return;
        shown = reply.ok ? reply.value : undefined;
        write();
      });
      const ask = async (isNameShown?: true): Promise<void> => {
        const { display } = target.number;
        const reply = await background.send('content.tip', { display, ...(isNameShown && { isNameShown }) });
        if (turn !== turns) return;
        facts = reply.ok ? reply.value : { words: '' };
        write();
        if (facts.isPartial) await ask(true);
      };
      void ask();
    },
    /** What was named stays for the click that hid the tip. */
    hide() {
      isHidden = true;
    },
    applySettings(settings: ContentSettings) {
      hasTeamLine = settings.hasTeamLine;
    },
    /** @returns undefined where the tip named no record yet; null where it says that there is none. */
    recordOf: (target: Target): RecordKey | null | undefined =>
      target.key === key ? shown?.record : undefined,
  };
}
