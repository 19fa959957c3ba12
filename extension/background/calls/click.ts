/** One request of the agent to place a call, as the background checks it. */
import type { NumberSource } from '../../../shared/numbers/dial/resolve.ts';
import type { PlaceCallRequest } from '../../../shared/protocol/messages.ts';
import type { ItemKey } from '../../../shared/protocol/sheets.ts';
import type { RecordKey } from '../../../shared/record/template.ts';
import type { ShownNumber } from '../../messages/views.ts';

export interface Click {
  /** 22 characters of base64url, made by the page of the click. */
  id: string;
  source: Exclude<NumberSource, { kind: 'digits' }>;
  /** The number that the agent saw. Only this number may be dialled; otherwise the click is refused. */
  shown?: ShownNumber | undefined;
  confirmed?: boolean | undefined;
  /** The question that the agent had already read before the click. */
  confirmedReason?: string | undefined;
  /** The name beside the number, in the web page or in a list on our own page. */
  name?: string | undefined;
  callerid?: string | undefined;
  forceFrom?: boolean | undefined;
  tab?: { id: number; frameId: number } | undefined;
  /**
   * The CRM record of the call, if the team's templates know it. Null: the agent chose that the call does not have a
   * record. Absent: a record is not known.
   */
  record?: RecordKey | null | undefined;
  /** The click came before the record was on the screen. */
  isRecordUnseen?: boolean | undefined;
  /** The item of a call sheet that is called. */
  item?: ItemKey | undefined;
  /** The reason to place the call against the team's rules. Only our own pages can send it. */
  override?: PlaceCallRequest['override'];
  /**
   * The record that our tip or question showed at the click. Null: it knew that there is no record. Absent: it did not
   * know yet.
   */
  shownRecord?: RecordKey | null | undefined;
  /** True if the guard's questions about this click must be asked on our own page, not in the web page. */
  isGuardedElsewhere?: boolean | undefined;
}
