/** Reads the organisation's policy (`storage.managed`): Chrome policy, Firefox policies.json. */
import browser from 'webextension-polyfill';
import { z } from 'zod/mini';
import { browserName } from '../../browser-name.ts';
import type { SecretName } from '../../messages.ts';

const ManagedSecrets = z.object({
  secrets: z.optional(z.object({ agentKey: z.optional(z.string()), serviceToken: z.optional(z.string()) })),
});

/** Empty where there is no policy: Chrome returns `{}`, Firefox rejects ("Managed storage manifest not found", 153). */
export function readManaged(): Promise<Record<string, unknown>> {
  managed ??= browser.storage.managed.get(null as never).catch(() => ({}));
  return managed;
}
let managed: Promise<Record<string, unknown>> | undefined;

/** Drops what was read: the policy may have changed. */
export function forgetManaged(): void {
  managed = undefined;
}

/** Firefox (153) lets content scripts read policy values and cannot close that, so no secret is taken from there (Law 3). */
export const policyMayHoldSecrets = browserName === 'chrome';

export async function managedSecret(name: SecretName): Promise<string | undefined> {
  if (!policyMayHoldSecrets) return undefined;
  const parsed = ManagedSecrets.safeParse(await readManaged());
  const value = parsed.success ? parsed.data.secrets?.[name]?.trim() : undefined;
  return value === '' ? undefined : value;
}
