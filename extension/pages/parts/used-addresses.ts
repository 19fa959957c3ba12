/** The addresses that a connection uses, by dotted path, in settings or in a draft of them. */
import { isLoopback, isPlaintextBeyond } from '../../../shared/address.ts';
import { type Tree, valueAt, withValue } from '../../dotted-path.ts';
import { patternOf } from '../../match-pattern.ts';
import { isAddress } from '../../secret-origins.ts';

const directAddresses = ['primary', 'secondary', 'local', 'ownReturn'] as const;
const addressAt = (name: (typeof directAddresses)[number]) => `connection.direct.${name}Url`;
export const addressPaths = ['connection.relayUrl', ...directAddresses.map(addressAt)];

export const isDirect = (settings: object) => valueAt(settings, 'connection.mode') === 'direct';
const usesLocal = (settings: object) => valueAt(settings, 'connection.direct.useLocal') === true;

/** Completes an address as a person writes it. Without a scheme it gets https, or http on this computer. */
export function withScheme(address: string): string {
  // `https:/relay.example` has a scheme, too. If the colon belongs to a port, digits follow instead.
  if (address === '' || /^[^/]*:\//.test(address) || !URL.canParse(`https://${address}`)) return address;
  return `${isLoopback(`http://${address}`) ? 'http' : 'https'}://${address}`;
}

/** The settings to be saved: every address with its scheme. */
export function withSchemes(settings: object): Tree {
  return addressPaths.reduce((result, path) => {
    const address = valueAt(result, path);
    const complete = typeof address === 'string' ? withScheme(address) : address;
    return complete === address ? result : withValue(result, path, complete);
  }, settings as Tree);
}

/** Paths of the addresses that the chosen connection requires. */
export function requiredAddresses(settings: object): string[] {
  if (!isDirect(settings)) return [];
  const returnsToOwn = valueAt(settings, 'connection.direct.returnTo') === 'own';
  return [
    ...(usesLocal(settings) ? [addressAt('local')] : []),
    ...(returnsToOwn ? [addressAt('ownReturn')] : []),
  ];
}

/** Paths of the addresses in use, in the order of the form. */
export function usedAddresses(settings: object): string[] {
  const direct = usesLocal(settings) ? [addressAt('local')] : [addressAt('primary'), addressAt('secondary')];
  return ['connection.relayUrl', ...(isDirect(settings) ? direct : [])];
}

/** Paths of the addresses that would send the key or token as plain text. */
export function plaintextAddresses(typed: object): string[] {
  const settings = withSchemes(typed);
  return usedAddresses(settings).filter((path) => {
    const address = valueAt(settings, path);
    return isAddress(address) && isPlaintextBeyond('loopback', address);
  });
}

/** Addresses that the browser must be allowed to reach. */
export function neededAddresses(typed: object): string[] {
  const settings = withSchemes(typed);
  return usedAddresses(settings)
    .map((path) => valueAt(settings, path))
    .filter(isAddress);
}

/** Their match patterns, each once. */
export const neededPatterns = (typed: object): string[] => [
  ...new Set(neededAddresses(typed).map(patternOf)),
];
