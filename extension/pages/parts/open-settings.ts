import browser from 'webextension-polyfill';

export const openSettings = (): void => void browser.runtime.openOptionsPage();

/** Opens the settings at one field, which gets the focus. */
export function openSetting(field: 'setup-code' | 'extensions'): void {
  const url = browser.runtime.getURL(`extension/pages/options/index.html#${field}`);
  void browser.tabs.create({ url });
}
