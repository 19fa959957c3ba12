/** The context menu: on selected text, on telephone links, on marked numbers, and on the page. */
import browser, { type Menus, type Tabs } from 'webextension-polyfill';
import { serializer } from '../../../shared/async/serialize.ts';
import type { NumberInText } from '../../../shared/numbers/number-in-text.ts';
import { scan } from '../../../shared/numbers/text/scan.ts';
import {
  listTelephoneAddressPatterns,
  shortTelephoneAddress,
} from '../../../shared/numbers/text/telephone-address.ts';
import { patternOf } from '../../match-pattern.ts';
import type { ContentRequest } from '../../messages/content.ts';
import { chooseLanguage, text } from '../../text.ts';
import { recordAtAddress } from '../calls/team-rules.ts';
import type { ContentSender } from '../senders.ts';
import { readSettings, updateSettings } from '../settings/settings-store.ts';
import { hostOf, withExcludedNumber } from '../sites/site-rules.ts';
import { scanTab } from '../sites/sync-sites.ts';
import { openCallPage } from './call-page.ts';
import { openPanelAsPopup } from './open-panel.ts';

/** Items for the marked number under the mouse. It is the page's own text, which menus do not recognise. */
const numberItems = ['call-number', 'exclude-number'] as const;

/** Changes of the menu run one after the other. */
const inTurn = serializer();

/** Replaces the menu: at the installation, and when the language changes. */
export function makeMenus(): Promise<void> {
  return inTurn(async () => {
    // An update starts the background and asks for the menu before the agent's language is known.
    chooseLanguage((await readSettings()).settings.appearance.language);
    await browser.contextMenus.removeAll();
    const create = (item: Menus.CreateCreatePropertiesType) => browser.contextMenus.create(item);
    create({ id: 'call-selection', title: text('background_menu_callSelection'), contexts: ['selection'] });
    create({
      id: 'call-link',
      title: text('background_menu_callLink'),
      contexts: ['link'],
      targetUrlPatterns: listTelephoneAddressPatterns(),
    });
    // Their titles are set later, to the offered number.
    for (const id of numberItems)
      create({ id, title: 'Dialmark', contexts: ['page', 'frame'], visible: false });
    create({ id: 'scan-page', title: text('background_menu_scan'), contexts: ['page'] });
  });
}

/** The number that the menu names, and the frame that shows it. */
interface Offer {
  number: string;
  /** The number as its page shows it, with its context. */
  source?: NumberInText | undefined;
  host: string;
  tabId: number;
  frameId: number;
}

/**
 * Offers the marked number under the mouse in the menu of its page.
 * @param pointed without a number after the mouse has left it. The items are then hidden, but an open menu can still
 * use the offer.
 */
export function offerInMenu(
  { number, source }: ContentRequest<'content.pointAt'>,
  { tabId, frameId, url }: ContentSender,
) {
  return inTurn(async () => {
    if (number === undefined) {
      // Another frame may have offered its own number meanwhile.
      if (isFrom(await readOffer(), { tabId, frameId })) await updateItems(() => ({ visible: false }));
      return;
    }
    const host = hostOf(url);
    await writeOffer({ number, source, host, tabId, frameId });
    const titles = {
      'call-number': text('page_callNumber', number),
      'exclude-number': text('background_menu_excludeNumber', number),
    };
    const isOfPolicy = (await readSettings()).locked.includes('sites.excludedNumbers');
    await updateItems((item) => ({
      visible: item === 'call-number' || !isOfPolicy,
      title: titles[item],
      documentUrlPatterns: [host === '' ? 'file:///*' : patternOf(host)],
    }));
  });
}

/** Withdraws what an earlier document of this frame has offered. */
export function withdrawFromMenu(from: Pick<Offer, 'tabId' | 'frameId'>): Promise<void> {
  return inTurn(async () => {
    if (!isFrom(await readOffer(), from)) return;
    await writeOffer(null);
    await updateItems(() => ({ visible: false }));
  });
}

/**
 * Handles a click in the menu. A number opens our own page: the web page chose the text, so the agent confirms it
 * there.
 */
export async function onMenu(info: Menus.OnClickData, tab?: Tabs.Tab): Promise<void> {
  const { menuItemId: item, linkUrl, selectionText } = info;
  const record = await recordAtAddress(tab?.url);
  // The browser's own viewer, which may show a page, does not accept scripts.
  if (item === 'scan-page' && tab?.id !== undefined && !(await scanTab(tab.id))) await openPanelAsPopup();
  if (item === 'call-link' && linkUrl)
    await openCallPage((shortTelephoneAddress(linkUrl) ?? linkUrl).slice(0, maxLength), { record });
  if (item === 'call-selection' && selectionText) await openCallPage(numberIn(selectionText), { record });
  if (!numberItems.some((each) => each === item)) return;
  const offer = await inTurn(readOffer);
  if (!offer || !isWhere(offer, info, tab)) return;
  const { number, source, host } = offer;
  if (item === 'call-number') await openCallPage(number, { onPage: source && { source, host }, record });
  else
    await updateSettings((own) => ({
      ...own,
      sites: withExcludedNumber(own.sites, { host, number }, true),
    }));
}

/** The most characters that a page may bring to the call page. */
const maxLength = 200;

/**
 * The first number in a selection. The whole selection would count as typed, and then all digits behind a word are an
 * extension.
 */
const numberIn = (selected: string): string => (scan(selected)[0]?.text ?? selected).slice(0, maxLength);

/** Whether the click was in the frame of the offer, with the same site in it. */
function isWhere(offer: Offer, { frameId = 0, frameUrl, pageUrl }: Menus.OnClickData, tab?: Tabs.Tab) {
  const address = frameUrl ?? pageUrl;
  return (
    isFrom(offer, { tabId: tab?.id, frameId }) && (address === undefined || hostOf(address) === offer.host)
  );
}

const isFrom = (offer: Offer | null, frame: { tabId: number | undefined; frameId: number }) =>
  offer?.tabId === frame.tabId && offer?.frameId === frame.frameId;

async function updateItems(
  propertiesOf: (item: (typeof numberItems)[number]) => Menus.UpdateUpdatePropertiesType,
): Promise<void> {
  await Promise.all(numberItems.map((item) => browser.contextMenus.update(item, propertiesOf(item))));
}

/** Reads the stored offer. The background may have been stopped while the mouse rested. */
async function readOffer(): Promise<Offer | null> {
  const { offer } = (await browser.storage.session.get('offer')) as { offer?: Offer | null };
  return offer ?? null;
}
const writeOffer = (offer: Offer | null) => browser.storage.session.set({ offer });
