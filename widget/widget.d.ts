/** Types of `dialmark-widget`. Loading the module defines `<dialmark-widget>`; on a server it does nothing. */

// The build writes the type out, so that the package needs no other file.
import type { Call } from '../shared/call/call.ts';

/** One click to call, as the relay sends it. Times are ISO 8601 UTC; seconds are whole. */
export type { Call };

/** One channel of the call path through the PBX. */
export type Leg = NonNullable<Call['legs']>[number];

/** The detail of `dialmark:error`, and the error with which `dial()` rejects. */
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
  /** English text for developers. */
  message: string;
}

export declare class DialmarkWidget extends HTMLElement {
  /** Returns a ticket. It replaces the attribute `ticket-url`. */
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

/** Its events, for frameworks' templates. */
export interface DialmarkWidgetListeners {
  'ondialmark:call'?: (event: CustomEvent<Call>) => void;
  'ondialmark:error'?: (event: CustomEvent<WidgetProblem>) => void;
  'ondialmark:ready'?: (event: CustomEvent<{ calls: readonly Call[] }>) => void;
}

declare global {
  interface HTMLElementTagNameMap {
    'dialmark-widget': DialmarkWidget;
  }
  // They bubble to the document and the window.
  interface GlobalEventHandlersEventMap {
    'dialmark:call': CustomEvent<Call>;
    'dialmark:error': CustomEvent<WidgetProblem>;
    'dialmark:ready': CustomEvent<{ calls: readonly Call[] }>;
  }
}
