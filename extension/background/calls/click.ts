/** One deliberate act of the agent, as the background judges it. */
import type { NumberSource } from '../../../shared/numbers/dial/resolve.ts';
import type { PlaceCallRequest } from '../../../shared/protocol/messages.ts';
import type { ItemKey } from '../../../shared/protocol/sheets.ts';
import type { RecordKey } from '../../../shared/record/template.ts';
import type { ShownNumber } from '../../messages/views.ts';

export interface Click {
  /** 22 characters of base64url, made where the click was. */
  id: string;
  source: Exclude<NumberSource, { kind: 'digits' }>;
  /** What the agent saw: this is dialled, or nothing. */
  shown?: ShownNumber | undefined;
  confirmed?: boolean | undefined;
  /** The sentence that the agent has read, where it was shown before the click. */
  confirmedReason?: string | undefined;
  /** What stands beside the number, where our page listed it. */
  name?: string | undefined;
  callerid?: string | undefined;
  forceFrom?: boolean | undefined;
  tab?: { id: number; frameId: number } | undefined;
  /** What the call is about, where the team's templates know it. */
  record?: RecordKey | null | undefined;
  /** The click came before the record was on the screen. */
  isRecordUnseen?: boolean | undefined;
  /** The item of a call sheet that is called. */
  item?: ItemKey | undefined;
  /** Why the team's rules are not to stop this call; from a page of ours alone. */
  override?: PlaceCallRequest['override'];
  /** What was shown of the record where the click was; null: that there is none. Absent where nothing was shown yet. */
  shownRecord?: RecordKey | null | undefined;
  /** The guard's questions about a click in a page are asked on our own page alone. */
  isGuardedElsewhere?: boolean | undefined;
}
