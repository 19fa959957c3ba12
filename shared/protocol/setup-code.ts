/**
 * The setup code: one string that `relay key add --setup-code` prints and an agent pastes into the options page. It
 * holds the relay's address, the agent's extensions, country and area code, and the agent key, so it is as secret as
 * the key. It is never a link.
 *
 * A field that takes it shows `relayUrl` and `callers`, and fills the settings only after the agent's yes.
 */
import { z } from 'zod/mini';
import { endpointUrl } from '../address.ts';
import { NumberSettings } from '../numbers/number-settings.ts';
import { CallerCode } from '../service/request.ts';

/**
 * The rest of the code has letters, digits, - and _. So a double click marks the whole code, and mail programs do not
 * make a link of it.
 */
const prefix = 'dialmark-setup-1_';

const isRelayAddress = (value: string) => {
  try {
    endpointUrl(value, '', 'relay');
    return true;
  } catch {
    return false;
  }
};

export const SetupCode = z.object({
  /** http(s), without a trailing slash. The code that uses it decides whether plain http is acceptable. */
  relayUrl: z.string().check(z.refine(isRelayAddress, { error: 'expected an http(s) address' })),
  /** Codes of agents or extensions that the key may place calls for, at least one. */
  callers: z.array(CallerCode).check(z.minLength(1)),
  key: z.string().check(z.regex(/^dma_[A-Za-z0-9_-]{43}$/, { error: 'expected an agent key' })),
  /** Where the agent is, for numbers that are written without a country or an area code. */
  country: z.optional(NumberSettings.shape.country),
  areaCode: NumberSettings.shape.areaCode,
});
export type SetupCode = z.infer<typeof SetupCode>;

/** @throws ZodError where a part is not as the schema says. */
export function encodeSetupCode(setup: SetupCode): string {
  const { relayUrl, callers, key, country, areaCode } = SetupCode.parse(setup);
  // `btoa` needs ASCII. The URL parser gives ASCII, and the other members are ASCII.
  const json = JSON.stringify({
    relayUrl: endpointUrl(relayUrl, '', 'relay').href.replace(/\/$/, ''),
    callers,
    key,
    country,
    areaCode,
  });
  return prefix + btoa(json).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * @param text as pasted. Only characters that a code can have count, not the blanks, quotes and line marks of a mail.
 * Of several codes the last one counts, because the field hides the text that it already has.
 * @returns undefined for another text, and if a part of the code is missing.
 */
export function decodeSetupCode(text: string): SetupCode | undefined {
  const compact = text.replace(/[^\w-]/g, '');
  const start = compact.lastIndexOf(prefix);
  if (start < 0) return undefined;
  const code = compact.slice(start + prefix.length);
  try {
    const json = atob(code.replaceAll('-', '+').replaceAll('_', '/'));
    return SetupCode.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
