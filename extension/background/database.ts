/**
 * The extension-origin IndexedDB. Content scripts run on the page's origin and cannot open it, in both browsers. But
 * Firefox lets them read all of `storage.local` (no `setAccessLevel`, 153). So secrets, settings and history are here
 * (Law 3).
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { SecretName } from '../messages/pages.ts';
import type { CallRecord } from './calls/call-record.ts';

export interface SavedSecret {
  value: string;
  /** The addresses that the secret may be sent to. */
  origins: string[];
}

interface Schema extends DBSchema {
  /** Key: name. Written by `settings/secrets.ts` alone. */
  secrets: { key: SecretName; value: SavedSecret };
  /** Keys: `settings`, and `chosenCountry`, which was not chosen by a person. */
  settings: { key: string; value: unknown };
  /** Key: a number as written. Written by `numbers/chosen-readings.ts` alone. */
  readings: { key: string; value: string };
  calls: {
    key: string;
    value: CallRecord;
    indexes: { createdAt: string; open: number };
  };
}
type ExtensionDatabase = IDBPDatabase<Schema>;

let opening: Promise<ExtensionDatabase> | undefined;

/** The one connection; reopened when the browser closed it (site data cleared, disk trouble). */
export function database(): Promise<ExtensionDatabase> {
  opening ??= openDB<Schema>('dialmark', 1, {
    upgrade(db) {
      db.createObjectStore('secrets');
      db.createObjectStore('settings');
      db.createObjectStore('readings');
      const calls = db.createObjectStore('calls', { keyPath: 'id' });
      calls.createIndex('createdAt', 'createdAt');
      calls.createIndex('open', 'open');
    },
    terminated() {
      opening = undefined;
    },
    blocking(_current, _blocked, event) {
      (event.target as IDBDatabase | null)?.close();
      opening = undefined;
    },
  }).catch((error) => {
    opening = undefined;
    throw error;
  });
  return opening;
}
