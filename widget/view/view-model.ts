/** All input of the view. The view is a pure function of it. */
import type { Call } from '../../shared/call/call.ts';
import type { WidgetConnection } from '../session/session.ts';
import type { WidgetLanguage } from '../texts.ts';
import type { DialFault } from '../widget-error.ts';

export interface ViewModel {
  language: WidgetLanguage;
  mode: 'state' | 'dial';
  compact: boolean;
  calls: readonly Call[];
  connection: WidgetConnection;
  ready: boolean;
  mayHangUp: boolean;
  /** Milliseconds since 1970. */
  now: number;
  dial: DialModel;
  /** The protocol of the page: `https:` or `http:`. */
  pageProtocol: string;
  /** ISO 3166 code of the country for numbers without a calling code. */
  region: string | undefined;
  /** The id of a call whose hang-up was not confirmed. */
  hangUpFault: string | undefined;
  onRetry: () => void;
  onHangUp: (call: Call) => void;
  /** @param number by default the typed one. */
  onDial: (number?: string) => unknown;
  onType: (typed: string) => void;
}

export interface DialModel {
  typed: string;
  /** Whether a call is being placed or in progress, or there is no connection. */
  busy: boolean;
  fault: DialFault | undefined;
}
