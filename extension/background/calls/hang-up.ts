/** Hangs up a call through the relay, if the Call allows it (`canHangUp`). A repeated request is harmless. */
import { isFinished } from '../../../shared/call/call.ts';
import { ok, type Result, refuse } from '../../messages/result.ts';
import { getCall } from './call-store.ts';
import { deleteCall } from './relay-client.ts';
import { currentRelay } from './route.ts';

/** @param frame of the content script that asks. Only the frame that placed the call may end it. */
export async function hangUp(id: string, frame?: { id: number; frameId: number }): Promise<Result<null>> {
  const record = await getCall(id);
  const isTheirs = !frame || (record?.tab?.id === frame.id && record.tab.frameId === frame.frameId);
  if (!record || !isTheirs) return refuse('notAllowedHere');
  if (isFinished(record.call)) return ok(null);
  const relay = await currentRelay();
  if (!relay || !record.call.canHangUp) return refuse('hangUpFailed');
  const outcome = await deleteCall(relay, id);
  if (outcome.kind === 'ok') return ok(null);
  // The call is already over. The relay's events will report its end here.
  const isOver = outcome.kind === 'problem' && outcome.problem?.code === 'callFinished';
  return isOver ? ok(null) : refuse('hangUpFailed');
}
