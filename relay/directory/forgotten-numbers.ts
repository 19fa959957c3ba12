/** Numbers that were to be forgotten, as keyed hashes: a source that still has one cannot bring it back. */
import { createHmac } from 'node:crypto';
import type { Store } from '../store/store.ts';

export class ForgottenNumbers {
  private constructor(
    private readonly secrets: readonly string[],
    private readonly hashes: ReadonlySet<string>,
  ) {}

  /** @param secrets of the relay, current first. */
  static async read({ maintenance }: Store, secrets: readonly string[]): Promise<ForgottenNumbers> {
    return new ForgottenNumbers(secrets, new Set(await maintenance.listForgotten()));
  }

  has(number: string): boolean {
    return this.hashes.size > 0 && this.secrets.some((secret) => this.hashes.has(hashOf(number, secret)));
  }

  /** Distinguished from an earlier state by the syncs that must read everything again. */
  get size(): number {
    return this.hashes.size;
  }

  static async add({ maintenance }: Store, secrets: readonly string[], number: string): Promise<void> {
    await maintenance.setForgotten(hashOf(number, secrets[0]!), true);
  }

  static async remove({ maintenance }: Store, secrets: readonly string[], number: string): Promise<void> {
    for (const secret of secrets) await maintenance.setForgotten(hashOf(number, secret), false);
  }
}

const hashOf = (number: string, secret: string): string =>
  createHmac('sha256', `dialmark v1 forgotten ${secret}`).update(number).digest('base64url');
