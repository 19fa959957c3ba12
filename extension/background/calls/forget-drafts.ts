import browser from 'webextension-polyfill';
import { getCall } from './call-store.ts';

/** The parts of `draft:<id>` and `draft:note-<id>`, as the pages keep what was typed at a call and not saved. */
const draftKey = /^draft:(?:note-)?(.+)$/;

/** Removes the drafts of calls that are no longer here. */
export async function forgetDrafts(): Promise<void> {
  const { session } = browser.storage;
  for (const key of Object.keys(await session.get(null as never))) {
    const id = draftKey.exec(key)?.[1];
    if (id !== undefined && !(await getCall(id))) await session.remove(key);
  }
}
