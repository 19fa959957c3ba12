import browser from 'webextension-polyfill';
import { getCall } from './call-store.ts';

/** Matches `draft:<id>` and `draft:note-<id>`. Pages keep unsaved text about a call under these keys. */
const draftKey = /^draft:(?:note-)?(.+)$/;

/** Removes the drafts of calls that are not stored any more. */
export async function forgetDrafts(): Promise<void> {
  const { session } = browser.storage;
  for (const key of Object.keys(await session.get(null as never))) {
    const id = draftKey.exec(key)?.[1];
    if (id !== undefined && !(await getCall(id))) await session.remove(key);
  }
}
