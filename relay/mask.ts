/** How a phone number may stand in a log (Law 7): its last two digits, and how long it was. Extensions stay readable. */
export function mask(number: string): string {
  return number.length < 7 ? number : `${'*'.repeat(number.length - 2)}${number.slice(-2)}`;
}
