/** All input of the view, which is a pure function of it. */
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
  /** The page's own, `https:` or `http:`. */
  pageProtocol: string;
  /** ISO 3166 code of the country of numbers without a calling code. */
  region: string | undefined;
  /** Id of the call whose hang-up is not confirmed. */
  hangUpFault: string | undefined;
  onRetry: () => void;
  onHangUp: (call: Call) => void;
  /** @param number the one typed, where absent. */
  onDial: (number?: string) => unknown;
  onType: (typed: string) => void;
}

export interface DialModel {
  typed: string;
  /** A call is being placed or in progress, or there is no connection. */
  busy: boolean;
  fault: DialFault | undefined;
}
