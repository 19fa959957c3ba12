/** What can be said of a number before anybody is asked; the relay's dialling guard has the last word. */
import { WidgetError } from '../widget-error.ts';
import { digitsOf } from './format-number.ts';

/** Where most of our agents sit; the relay and the extension know every country's. */
const emergencies = /^(112|911|999|000|19[0-37]|06[126]|09[12])$/;

/** @returns the digits to dial. @throws WidgetError `notANumber` or `emergency`. */
export function judgeNumber(typed: string): string {
  const digits = digitsOf(typed);
  if (!/^\d{2,32}$/.test(digits) || /[^\s\d().+/-]/.test(typed.normalize('NFKC')))
    throw new WidgetError('notANumber', 'expected 2 to 32 digits');
  if (emergencies.test(digits)) throw new WidgetError('emergency', 'dial it on the phone itself');
  return digits;
}
