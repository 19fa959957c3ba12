/**
 * The HTTP method of a call that this browser sends. Firefox (153) sends a GET whose connection breaks before the answer again
 * by itself, up to ten times, on a new connection each time: ten `/call`s for one click, and nothing an extension can set stops it.
 * Both methods mean the same to the service (interface 4.1), so there a GET goes as a POST (Law 1).
 */
import type { CallMethod } from '../../../shared/service/request.ts';
import type { BrowserName } from '../../manifest.ts';

export function callMethod(wanted: CallMethod, browser: BrowserName): CallMethod {
  return browser === 'firefox' ? 'post' : wanted;
}
