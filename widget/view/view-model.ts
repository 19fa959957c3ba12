/** Everything the picture is made of: the view is a function of this and nothing else. */
import type { Call } from '../../shared/call/call.ts';
import type { Connection } from '../follow/session.ts';
import type { DialFault } from '../widget-error.ts';
import type { Language } from '../words/language.ts';

export interface ViewModel {
  language: Language;
  mode: 'state' | 'dial';
  compact: boolean;
  calls: readonly Call[];
  connection: Connection;
  ready: boolean;
  /** Milliseconds since 1970: what the running clock counts to. */
  now: number;
  dial: DialModel;
  /** `https:` or `http:`: the page's own. */
  pageProtocol: string;
  /** ISO 3166: how numbers without a country are written. */
  region: string | undefined;
  onRetry: () => void;
  onDial: () => unknown;
  onType: (typed: string) => void;
}

export interface DialModel {
  typed: string;
  /** A press is being answered, or a call is under way. */
  busy: boolean;
  fault: DialFault | undefined;
}
