import { useMemo } from 'preact/hooks';
import type { SettingsView } from '../../messages/views.ts';
import { applyAppearance } from './start-page.tsx';
import { useLastRead, useReply } from './use-reply.ts';

/**
 * The settings in force. Until the first reply they are those of the page's start.
 * @returns them, and a function that replaces them (replies to a save carry the new ones).
 */
export function useSettings(initial: SettingsView): [SettingsView, (view: SettingsView) => void] {
  const [reply, replaceView] = useReply('page.settings', {}, ['settings']);
  return [useLastRead(reply).current ?? initial, replaceView];
}

/** Applies theme and language before the parts below are rendered, since they look up texts while rendering. */
export function useAppearance({ theme, language }: Parameters<typeof applyAppearance>[0]): void {
  useMemo(() => applyAppearance({ theme, language }), [theme, language]);
}
