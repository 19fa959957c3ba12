import browser from 'webextension-polyfill';
import { text } from '../../text.ts';
import { startPage } from '../parts/start-page.tsx';
import { Popup } from './popup.tsx';

// A popup takes its width from the page, side panel and sidebar set it; only the kind of view shows which this is.
if (browser.extension.getViews({ type: 'popup' }).includes(window))
  document.documentElement.dataset.view = 'popup';
await startPage(Popup, () => text('popup_title'));
