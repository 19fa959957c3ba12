/** Types of `dialmark/widget`. Loading the module defines `<dialmark-widget>`; on a server it does nothing. */

/** One click to call, as the relay sends it. Times are ISO 8601 UTC; seconds are whole. */
export interface Call {
  id: string;
  callid?: string | undefined;
  from: string;
  to: string;
  state: 'initiating' | 'callingCaller' | 'disconnected' | 'failed' | 'unknown';
  reason?:
    | 'hangUp'
    | 'callerNoAnswer'
    | 'callerFailure'
    | 'refused'
    | 'notSent'
    | 'notAnswered'
    | 'other'
    | undefined;
  createdAt: string;
  acceptedAt?: string | undefined;
  startedAt?: string | undefined;
  endedAt?: string | undefined;
  talkSeconds?: number | undefined;
  totalSeconds?: number | undefined;
  recordingUrl?: string | undefined;
  legs?: Leg[] | undefined;
  uniqueid?: string | undefined;
  linkedid?: string | undefined;
  mainchannel?: string | undefined;
  route?: string | undefined;
  audioFile?: string | undefined;
  error?: { code: string; message: string } | undefined;
  /** Grows by one with every change. */
  revision: number;
}

/** One channel of the call path through the PBX. */
export interface Leg {
  id: string;
  channel?: string | undefined;
  state?: string | undefined;
  exten?: string | undefined;
  callerNumber?: string | undefined;
  callerName?: string | undefined;
  connectedNumber?: string | undefined;
  connectedName?: string | undefined;
  context?: string | undefined;
}

/** The detail of `dialmark:error`, and what `dial()` rejects with. */
export interface WidgetProblem {
  code:
    | 'setUp'
    | 'unavailable'
    | 'signedOut'
    | 'unauthorized'
    | 'offline'
    | 'notUnderstood'
    | 'notANumber'
    | 'emergency'
    | 'busy'
    | 'forbidden'
    | 'numberNotAllowed'
    | 'tooManyCalls'
    | 'notPlaced'
    | 'perhapsPlaced';
  /** For developers, in English. */
  message: string;
}

export declare class DialmarkWidget extends HTMLElement {
  /** Returns a ticket, instead of the attribute `ticket-url`. */
  getTicket: (() => Promise<string>) | undefined;
  /** The known calls, newest first. */
  readonly calls: readonly Call[];
  /** Places a call. Rejects with an Error that is a WidgetProblem. */
  dial(number: string): Promise<Call>;
}

/** Attributes, for frameworks' templates. */
export interface DialmarkWidgetAttributes {
  relay?: string;
  'ticket-url'?: string;
  mode?: 'state' | 'dial';
  compact?: boolean | '';
  lang?: string;
  country?: string;
  theme?: 'auto' | 'light' | 'dark';
  getTicket?: () => Promise<string>;
}

declare global {
  interface HTMLElementTagNameMap {
    'dialmark-widget': DialmarkWidget;
  }
  interface HTMLElementEventMap {
    'dialmark:call': CustomEvent<Call>;
    'dialmark:error': CustomEvent<WidgetProblem>;
    'dialmark:ready': CustomEvent<{ calls: readonly Call[] }>;
  }
}
