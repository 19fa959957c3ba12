/** What `apply` says of a call it knows, the same in every engine. */
import type { Call } from '../../shared/call/call.ts';
import type { Applied } from './store.ts';

export function answer(kind: 'applied' | 'unchanged', call: Call, data: string | undefined): Applied {
  return { kind, state: call.state, reason: call.reason, ...(data === undefined ? {} : { data }) };
}
