import { newCallId } from '../../../shared/call/call.ts';
import type { ChipCall, Result } from '../../messages.ts';
import { ask } from './ask.ts';

/** What an agent may choose for one call. */
export interface CallChoices {
  callerid?: string;
  forceFrom?: boolean;
}

/** One click, one name: a message that arrives twice is one call (Law 1). */
export function placeCall(
  input: string,
  choices: CallChoices = {},
  confirmed = false,
): Promise<Result<ChipCall>> {
  return ask('page.dial', { click: newCallId(), input, ...choices, ...(confirmed ? { confirmed } : {}) });
}
