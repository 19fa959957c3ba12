/**
 * The reply to every message: a value, or the reason why there is none. An error that is thrown would lose its fields
 * on the way.
 */
import type { RecordKey } from '../../shared/record/template.ts';
import type { ErrorCode } from './error-codes.ts';
import type { OfferedReading } from './views.ts';

/** Why a request was not granted. */
export interface Refusal {
  code: ErrorCode;
  detail?: string | undefined;
  /**
   * Set with `confirmFirst` if the number's country is doubtful: the readings to choose from, as "Call +49 30 901820,
   * Germany?". A second reading, nearly always in the agent's own country, gets a second button. The choice comes as
   * the same request with a new click id, `confirmed: true` and the reading in `shown`. The choice is remembered.
   */
  readings?: readonly OfferedReading[] | undefined;
  /**
   * The record for the call that the agent is asked to confirm. It is set if the page's record has changed. Null: no
   * record.
   */
  record?: RecordKey | null | undefined;
  /**
   * Set if a rule of the team refused, but this agent may override it. The same request is then sent with a new click
   * id and `override`.
   */
  mayOverride?: boolean | undefined;
}
export type Result<T> =
  | { ok: true; value: T; error?: undefined }
  | { ok: false; value?: undefined; error: Refusal };
export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const refuse = (code: ErrorCode, detail?: string): Result<never> => ({
  ok: false,
  error: { code, ...(detail !== undefined && { detail }) },
});
