/** The record that the tip names: asked for when the tip is shown, and repeated by the click. */
import type { RecordKey } from '../../shared/record/template.ts';
import type { ContentSettings } from '../messages/content.ts';
import type { ShownRecord } from '../messages/views.ts';
import type { BackgroundConnection } from './background-connection.ts';
import type { Target } from './click-target.ts';
import type { PageOverlay } from './overlay.ts';

export function createShownRecord(overlay: PageOverlay, background: BackgroundConnection) {
  let key: Target['key'] | undefined;
  let shown: ShownRecord | undefined;
  let turns = 0;
  let isHidden = false;
  let hasRecords = false;

  return {
    /** Names it in the tip of a target. What was named once stays, whatever the page does meanwhile. */
    show(target: Target) {
      if (!hasRecords) return;
      const isShown = target.key === key && !isHidden;
      isHidden = false;
      if (isShown) return overlay.showRecord(shown?.label ?? '');
      key = target.key;
      shown = undefined;
      const turn = ++turns;
      void background.send('content.record', {}).then((reply) => {
        if (turn !== turns || !reply.ok) return;
        shown = reply.value;
        overlay.showRecord(shown.label);
      });
    },
    /** What was named stays for the click that hid the tip. */
    hide() {
      isHidden = true;
    },
    applySettings(settings: ContentSettings) {
      hasRecords = settings.hasRecords ?? hasRecords;
    },
    /** @returns undefined where the tip named nothing yet; null where it says that there is none. */
    of: (target: Target): RecordKey | null | undefined => (target.key === key ? shown?.record : undefined),
  };
}
