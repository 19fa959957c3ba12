/** The calling codes that the cases write. */
const callingCode = /^(?:55|49|44|54|1)(?=\d{8,}$)/;

/** True where both are the same number, with or without trunk zeros and calling code. */
export function isSameNumber(one: string, other: string): boolean {
  const all = new Set(readings(one));
  return readings(other).some((reading) => all.has(reading));
}

function readings(digits: string): string[] {
  const bare = digits.replace(/^0{1,2}/, '');
  const withoutCode = digits.length > 11 || digits.startsWith('00') ? bare.replace(callingCode, '') : bare;
  return [digits, bare, withoutCode, withoutCode.replace(/^0/, '')];
}
