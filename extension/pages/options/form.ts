import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { SettingsView } from '../../messages.ts';
import type { TextKey } from '../../text.ts';
import type { Draft } from './draft.ts';

/** What every section of the options page works on. */
export interface Form {
  view: SettingsView;
  draft: Draft;
  problems: ReadonlyMap<string, TextKey>;
  unsaved: boolean;
  /** Writes values by dotted path. */
  change(values: Readonly<Record<string, unknown>>): void;
  /** The reply to something that is saved at once (secrets, sites). */
  replaceView(view: SettingsView): void;
}

export const FormContext = createContext<Form | null>(null);

export function useForm(): Form {
  const form = useContext(FormContext);
  if (!form) throw new Error('useForm outside of the options page');
  return form;
}

/** Set by the organisation: the path itself, or a group it is in. */
export function isLocked(locked: readonly string[], path: string): boolean {
  return locked.some((one) => path === one || path.startsWith(`${one}.`));
}
