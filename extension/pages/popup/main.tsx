import browser from 'webextension-polyfill';
import { text } from '../../text.ts';
import { startPage } from '../parts/start-page.tsx';
import { Popup } from './popup.tsx';

// A popup is as wide as its page asks; side panel and sidebar give the page its width. Only the view's kind tells which.
if (browser.extension.getViews({ type: 'popup' }).includes(window))
  document.documentElement.dataset.view = 'popup';
await startPage(Popup, () => text('popup_title'));
