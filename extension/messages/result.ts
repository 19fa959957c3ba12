/**
 * The reply of every message: a value, or why there is none. A thrown error would lose its fields on the way.
 */
import type { RecordKey } from '../../shared/record/template.ts';
import type { ErrorCode } from './error-codes.ts';
import type { OfferedReading } from './views.ts';

/** Why a request was not granted. */
export interface Refusal {
  code: ErrorCode;
  detail?: string | undefined;
  /**
   * With `confirmFirst`, where the number's country is doubtful: the readings to choose from, as "Call +49 30 901820,
   * Germany?". A second one, nearly always in the agent's own country, is a second button. The choice comes as the
   * same request with a new click id, `confirmed: true` and the reading in `shown`. It is remembered.
   */
  readings?: readonly OfferedReading[] | undefined;
  /** The record that the yes to `confirmFirst` is about, where the page's record has changed. Null: no record. */
  record?: RecordKey | null | undefined;
  /** A rule of the team refused, which this agent may override: the same request with a new click id and `override`. */
  mayOverride?: boolean | undefined;
}
export type Result<T> = { ok: true; value: T; error?: undefined } | { ok: false; error: Refusal };
export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const refuse = (code: ErrorCode, detail?: string): Result<never> => ({
  ok: false,
  error: { code, ...(detail !== undefined && { detail }) },
});
