/** Where this relay keeps its copies of large lists. */
import { dirname, join } from 'node:path';
import type { RelaySettings } from '../../settings.ts';
import { sqlitePath } from '../../store/open-store.ts';

export const listsFolderOf = ({ listsFolder, store }: Pick<RelaySettings, 'listsFolder' | 'store'>): string =>
  listsFolder ?? join(dirname(sqlitePath(store) ?? 'data/relay.db'), 'lists');

export const listPath = (folder: string, name: string): string => join(folder, `${name}.numbers`);
