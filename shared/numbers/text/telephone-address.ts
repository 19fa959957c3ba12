/** Reads addresses that name a telephone number: `tel:`, `callto:`, `sip:`, `sips:`, `sms:` and WhatsApp's. */

const schemes = ['tel', 'callto', 'sip', 'sips', 'sms', 'smsto', 'whatsapp'];
const schemePattern = new RegExp(`^(${schemes.join('|')}):(?://)?`, 'i');
const whatsAppPattern =
  /^(?:https?:\/\/(?:www\.)?wa\.me\/|(?:https?:\/\/(?:api|web)\.whatsapp\.com|whatsapp:\/)\/send\/?\?(?:.*&)?phone=)(?:\+|%2B)?(\d{7,15})(?!\d)/i;

/** Match patterns of the addresses, for a browser's context menu. */
export const listTelephoneAddressPatterns = (): string[] => [
  ...schemes.map((scheme) => `${scheme}:*`),
  ...['wa.me/*', 'www.wa.me/*', 'api.whatsapp.com/send*', 'web.whatsapp.com/send*'].map(
    (rest) => `*://${rest}`,
  ),
];

interface TelephoneAddress {
  /** The number as a person would type it: `+554832221000 ext 12`. */
  text: string;
  /** Whether a click on the address places a call. False for messages: a click on their links stays as it is. */
  isCall: boolean;
}

/** @returns undefined for any other address or text. */
export function readTelephoneAddress(address: string): TelephoneAddress | undefined {
  // Browsers ignore blanks and control characters around an address, and line breaks inside it.
  const href = address.replace(/^[\0- ]+|[\0- ]+$|[\t\n\r]/g, '');
  const [, whatsAppDigits] = whatsAppPattern.exec(href) ?? [];
  if (whatsAppDigits !== undefined) return { text: `+${whatsAppDigits}`, isCall: false };
  const [start, scheme] = schemePattern.exec(href) ?? [];
  if (start === undefined || scheme === undefined) return undefined;
  const rest = percentDecoded(href.slice(start.length));
  const extension = /;ext=([\d.-]+)/i.exec(rest)?.[1]?.replace(/\D/g, '');
  const number = rest.split(/[;?@]/)[0]!;
  return {
    text: extension ? `${number} ext ${extension}` : number,
    isCall: /^(?:tel|callto|sips?)$/i.test(scheme),
  };
}

/** A short address of the same number, because a WhatsApp link may carry a long message. */
export function shortTelephoneAddress(address: string): string | undefined {
  const read = readTelephoneAddress(address);
  return read && `tel:${read.text.slice(0, 128).replace(' ext ', ';ext=')}`;
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
