import browser from 'webextension-polyfill';
import { getCall } from './call-store.ts';

/** Matches `draft:<id>` and `draft:note-<id>`. Pages keep unsaved text about a call under these keys. */
const draftKey = /^draft:(?:note-)?(.+)$/;

/** Removes the drafts of calls that are not stored any more. */
export const forgetDrafts = (): Promise<void> => removeDrafts(async (id) => !(await getCall(id)));

/** @param isRemoved whether the drafts of the call with this id are removed. By default, all are removed. */
export async function removeDrafts(isRemoved: (id: string) => Promise<boolean> = async () => true) {
  const { session } = browser.storage;
  for (const key of Object.keys(await session.get(null as never))) {
    const id = draftKey.exec(key)?.[1];
    if (id !== undefined && (await isRemoved(id))) await session.remove(key);
  }
}
