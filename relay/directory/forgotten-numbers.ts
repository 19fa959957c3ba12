/** Forgotten numbers, as keyed hashes. A source that still has such a number cannot bring it back. */
import { createHmac, hash, randomBytes } from 'node:crypto';
import type { Store } from '../store/store.ts';

export class ForgottenNumbers {
  private constructor(
    private readonly key: string,
    private readonly hashes: ReadonlySet<string>,
  ) {}

  static async read(store: Store): Promise<ForgottenNumbers> {
    return new ForgottenNumbers(await forgottenKey(store), new Set(await store.maintenance.listForgotten()));
  }

  has(number: string): boolean {
    return this.hashes.size > 0 && this.hashes.has(hashOf(number, this.key));
  }

  /** Changes with the numbers. */
  get digest(): string {
    return hash('sha256', [...this.hashes].sort().join(), 'base64url');
  }

  static async set(store: Store, number: string, isForgotten: boolean): Promise<void> {
    await store.maintenance.setForgotten(hashOf(number, await forgottenKey(store)), isForgotten);
  }
}

const forgottenKey = ({ maintenance }: Store): Promise<string> =>
  maintenance.forgottenKey(randomBytes(32).toString('base64url'));

const hashOf = (number: string, key: string): string =>
  createHmac('sha256', key).update(number).digest('base64url');
