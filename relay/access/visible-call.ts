/** What a reader may see of a Call. A ticket is in a web page: record, wrap-up and name need a right. */
import { type Call, isFinished } from '../../shared/call/call.ts';

export interface CallParts {
  /** `record`, `entry` and `item`. */
  record: boolean;
  wrapUp: boolean;
  names: boolean;
}

export const seesAll = ({ record, wrapUp, names }: CallParts): boolean => record && wrapUp && names;

export function visibleCall(call: Call, sees: CallParts): Call {
  if (seesAll(sees)) return call;
  const { record, entry, wrapUp, name, item, ...rest } = call;
  return {
    ...rest,
    ...(sees.record && record ? { record } : {}),
    ...(sees.record && entry ? { entry } : {}),
    ...(sees.record && item ? { item } : {}),
    ...(sees.wrapUp && wrapUp ? { wrapUp } : {}),
    ...(sees.names && name ? { name } : {}),
  };
}

/** The same for a Call as stored JSON. Most Calls have nothing to hide, so they are not parsed. */
export function visibleData(data: string, sees: CallParts): string {
  if (seesAll(sees) || !/"(record|wrapUp|entry|name|item)":/.test(data)) return data;
  return JSON.stringify(visibleCall(JSON.parse(data) as Call, sees));
}

/**
 * The agent who was handed a finished call's callback. Because of it, only readers who may see wrap-ups get the call.
 */
export const colleagueOf = (call: Call): string | undefined =>
  isFinished(call) ? call.wrapUp?.callBackBy : undefined;
