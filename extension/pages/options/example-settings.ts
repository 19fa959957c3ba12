import { defaultGuardPolicy } from '../../../shared/numbers/dial/allow-or-refuse.ts';
import { Settings } from '../../settings.ts';

/** Settings of an agent in Brazil, for tests: a relay, one site, nothing locked. */
export function exampleSettings(): Settings {
  return Settings.parse({
    connection: { mode: 'relay', relayUrl: 'https://relay.example.com', direct: {} },
    agent: { from: '1105' },
    numbers: { country: 'BR', areaCode: '48', extensions: ['_1XXX'], dialRules: [] },
    guard: { ...defaultGuardPolicy, blockedPrefixes: ['0900'] },
    sites: { enabled: ['crm.example.com'] },
    appearance: {},
  });
}
