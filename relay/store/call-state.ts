/** The changing part of a call as the engines keep it. */
export interface CallState {
  /** The Call as JSON on one line. */
  data: string;
  isOpen: boolean;
  /** True between the journal and the provider's answer. */
  isDialling: boolean;
  /** Milliseconds since 1970; undefined when nothing is expected any more. */
  deadline: number | undefined;
  /** The notifications so far, as JSON of `ArrivalRecord[]`. */
  arrivals: string;
  /** The end of the caller's lease on the callee, in milliseconds since 1970; 0 without one. */
  leasedUntil: number;
  /** The bucket in which the call counts as an attempt; empty where attempts have no limit. */
  attempt: string;
  /** JSON of a `CallLog`; empty where no CRM logs the call. */
  log: string;
}
