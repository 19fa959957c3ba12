/**
 * The browser's own API as far as placing and following calls touch it, in memory; stands in for
 * `webextension-polyfill`: `vi.mock('webextension-polyfill', () => import('./testing/browser-api.ts'))`.
 */

/** `storage.session`, which keeps values as Chromium does: without what JSON leaves out. */
export const session = new Map<string, unknown>();
type SessionListener = (changes: object) => void;
const sessionListeners = new Set<SessionListener>();
const sessionChanged = (changes: object) => sessionListeners.forEach((listener) => void listener(changes));

/** Names of the alarms that are set. */
export const alarms = new Set<string>();

export default {
  runtime: {
    id: 'own',
    getURL: (path: string) => `chrome-extension://own/${path}`,
    onMessage: { addListener() {}, removeListener() {} },
    sendMessage: async (_message: unknown) => undefined,
  },
  permissions: { contains: async () => true, getAll: async () => ({ origins: ['*://*/*'] }) },
  storage: {
    managed: { get: async () => ({}) },
    session: {
      get: async (key: string | null) =>
        Object.fromEntries([...session].filter(([each]) => key === null || each === key)),
      set: async (values: object) => {
        for (const [key, value] of Object.entries(values))
          session.set(key, JSON.parse(JSON.stringify(value)));
        sessionChanged(values);
      },
      remove: async (key: string) => {
        session.delete(key);
        sessionChanged({ [key]: undefined });
      },
      onChanged: {
        addListener: (listener: SessionListener) => void sessionListeners.add(listener),
        removeListener: (listener: SessionListener) => void sessionListeners.delete(listener),
      },
    },
  },
  tabs: { create: async (_properties: { url: string }) => ({ id: 1, windowId: 1 }) },
  windows: { update: async (_id: number, _change: object) => ({}) },
  alarms: {
    get: async (name: string) => (alarms.has(name) ? { name } : undefined),
    create: async (name: string) => void alarms.add(name),
    clear: async (name: string) => alarms.delete(name),
  },
};
