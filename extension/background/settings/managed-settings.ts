/** Reads the organisation's policy (`storage.managed`): Chrome policy, Firefox policies.json. */
import browser from 'webextension-polyfill';
import { z } from 'zod/mini';
import { remember } from '../../../shared/async/remember.ts';
import { browserName } from '../../browser-name.ts';
import type { SecretName } from '../../messages/pages.ts';

const ManagedSecrets = z.object({
  secrets: z.optional(z.object({ agentKey: z.optional(z.string()), serviceToken: z.optional(z.string()) })),
});

const managed = remember<Record<string, unknown>>(() =>
  browser.storage.managed.get(null as never).catch(() => ({})),
);

/** Empty if there is not a policy: Chrome returns `{}`, Firefox rejects ("Managed storage manifest not found", 153). */
export const readManaged = managed.read;

/** Drops what was read: the policy may have changed. */
export const forgetManaged = managed.forget;

/** Firefox (153) lets content scripts read policies. There, a secret in a policy is not used (Law 3). */
export const policyMayHoldSecrets = browserName === 'chrome';

export async function managedSecret(name: SecretName): Promise<string | undefined> {
  if (!policyMayHoldSecrets) return undefined;
  const parsed = ManagedSecrets.safeParse(await readManaged());
  const value = parsed.success ? parsed.data.secrets?.[name]?.trim() : undefined;
  return value === '' ? undefined : value;
}
