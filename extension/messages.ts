/**
 * Every message inside the extension, split by who may send it. The background parses each with its schema and checks
 * the sender; a content script is as untrusted as the page it stands in (Law 3).
 *
 * Replies are always `Result`s: a thrown error loses its fields on the way.
 */
import { z } from 'zod/mini';
import type { Call } from '../shared/call/call.ts';
import type { Settings } from './settings.ts';

/** Codes of everything that can go wrong between a click and a call; each has a sentence in `_locales` (`error_<code>`). */
export const errorCodes = [
  'notConfigured', // nothing to call with: no relay or service address, no agent, no key or token
  'wrongKey', // the relay does not accept the agent key
  'relayUnreachable',
  'relayRefused', // the relay answered with a problem; `detail` is its sentence
  'insecure', // plain http without the deliberate yes
  'noPermission', // the browser was not allowed to reach that address
  'notANumber',
  'refusedByGuard', // `detail` is the guard's reason
  'confirmFirst', // the guard asks; `detail` is its reason: ask the agent in our own UI, then send `confirmed: true`
  'callInProgress', // `detail`: seconds until the agent may try again, where that is known
  'coolDown',
  'numberChanged', // what is on the page is not what the agent saw
  'notAllowedHere', // a page or frame that is not enabled, or a message that is not ours
  'badMessage',
  'internal',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

export type Result<T> = { ok: true; value: T } | { ok: false; error: { code: ErrorCode; detail?: string } };

const text = z.string().check(z.maxLength(200));
const cue = z.enum(['phone', 'none']);
/** Random per click: makes a message that is delivered twice one call. */
const clickId = z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/));

/** What a content script may ask. The background answers nothing that is not for this page's eyes. */
export const contentMessages = {
  /**
   * The numbers in stretches of text around digits, each scanned by itself: words around a number say what it is, and the
   * words of five languages would not fit a content script. -> FindReply
   */
  'content.find': z.object({
    type: z.literal('content.find'),
    texts: z.array(z.string().check(z.maxLength(1000))).check(z.maxLength(200)),
    lang: z.optional(z.string().check(z.maxLength(35))),
  }),
  /**
   * A trusted click on a marked number or a tel: link. `shown` is the display that the agent saw; the background judges
   * `text` again and refuses when it no longer means the same. -> PlaceReply
   */
  'content.dial': z.object({
    type: z.literal('content.dial'),
    click: clickId,
    text,
    cue,
    /** As the background found it: the number in full, where `text` is only its end. */
    whole: z.optional(text),
    lang: z.optional(z.string().check(z.maxLength(35))),
    shown: z.string().check(z.maxLength(64)),
    /** Set after the agent said yes in our own confirm card (closed shadow root, trusted click). */
    confirmed: z.optional(z.boolean()),
  }),
  /** tel:, callto:, sip: link under a trusted click: what would be dialled? -> JudgedNumber | null */
  'content.judgeLink': z.object({
    type: z.literal('content.judgeLink'),
    href: z.string().check(z.maxLength(300)),
  }),
  /** Numbers of this frame changed in count (badge, popup list). -> null */
  'content.found': z.object({ type: z.literal('content.found'), count: z.int() }),
  /** What a content script needs to look right: no secret, no history. -> ContentSettings */
  'content.hello': z.object({ type: z.literal('content.hello') }),
} as const;

/** What only our own pages (popup, side panel, options, call page) may ask. */
export const pageMessages = {
  /** -> PanelState */
  'page.state': z.object({ type: z.literal('page.state') }),
  /** What a person typed or followed (dial field, history, tel: handler, omnibox). -> JudgedNumber | null */
  'page.judge': z.object({ type: z.literal('page.judge'), input: text }),
  /** -> PlaceReply */
  'page.dial': z.object({
    type: z.literal('page.dial'),
    click: clickId,
    input: text,
    confirmed: z.optional(z.boolean()),
    callerid: z.optional(z.string().check(z.maxLength(34))),
    forceFrom: z.optional(z.boolean()),
  }),
  /** History, newest first, searched in numbers and notes. -> HistoryPage */
  'page.history': z.object({
    type: z.literal('page.history'),
    search: z.optional(text),
    before: z.optional(z.string()),
  }),
  'page.note': z.object({
    type: z.literal('page.note'),
    id: z.string(),
    note: z.string().check(z.maxLength(2000)),
  }),
  /** -> {kept}, how many calls are under way and stay */
  'page.forgetHistory': z.object({ type: z.literal('page.forgetHistory') }),
  /** -> SettingsView (never a secret) */
  'page.settings': z.object({ type: z.literal('page.settings') }),
  /** Replaces the settings given (parsed by `Settings`); locked paths are kept. -> SettingsView */
  'page.saveSettings': z.object({ type: z.literal('page.saveSettings'), settings: z.unknown() }),
  /** Write only: there is no message that reads a secret back. -> SettingsView */
  'page.setSecret': z.object({
    type: z.literal('page.setSecret'),
    name: z.enum(['agentKey', 'serviceToken']),
    value: z.nullable(z.string().check(z.minLength(1), z.maxLength(4096))),
  }),
  /** -> ConnectionTest */
  'page.testConnection': z.object({ type: z.literal('page.testConnection') }),
  /** Turn a host on or off; the permission was asked for in the page, by the click. -> SettingsView */
  'page.setSite': z.object({
    type: z.literal('page.setSite'),
    host: z.string().check(z.maxLength(253)),
    state: z.enum(['enabled', 'blocked', 'default']),
  }),
  /** Scan the given tab once (activeTab). -> null */
  'page.scanTab': z.object({ type: z.literal('page.scanTab'), tabId: z.int() }),
  /** Numbers on the page of a tab, all frames. -> NumberOnPage[] */
  'page.numbersOnPage': z.object({ type: z.literal('page.numbersOnPage'), tabId: z.int() }),
  /** One HEAD request for the recording of a call, only because a person asked; needs the host's permission. -> RecordingCheck */
  'page.checkRecording': z.object({
    type: z.literal('page.checkRecording'),
    id: z.string(),
    /** v1 completes the address by call id; some services keep the file under its own name (interface 9). */
    by: z.optional(z.enum(['callid', 'audioFile'])),
  }),
} as const;

/** What the background sends to content scripts (`tabs.sendMessage`). */
export type ToContent =
  | { type: 'background.step'; to: 'next' | 'previous' } // keyboard command: move the link to the next number
  | { type: 'background.dialFocused' }
  | { type: 'background.settings'; settings: ContentSettings }
  /** State of the call that this tab placed: only what the chip shows. */
  | { type: 'background.call'; call: ChipCall }
  | { type: 'background.list' } // -> NumberOnPage[] of this frame
  | { type: 'background.stop' }; // disabled, blocked or removed: undo everything

export interface ContentSettings {
  underline: 'dotted' | 'solid' | 'none';
  theme: 'auto' | 'light' | 'dark';
  /** Every text the content script shows, in the agent's language: it carries no message files. */
  texts: Record<string, string>;
  /** Direction of that language. */
  direction: 'ltr' | 'rtl';
}

/** A number as a page may see it: nothing more than what stands there already, and what would be dialled. */
export interface JudgedNumber {
  display: string;
  /** Digits that `/call` would get. */
  to: string;
  extension?: string;
  country?: string;
  verdict: 'allow' | 'confirm' | 'refuse';
  /** The guard's reason in words, where it asks or refuses. */
  reason?: string;
}
/** A number in a text that was asked about; UTF-16 units. `content.dial` repeats `text.slice(start, end)`, `cue` and `whole`. */
export interface FoundNumber {
  start: number;
  end: number;
  cue: z.infer<typeof cue>;
  whole?: string;
  number: JudgedNumber;
}
/** One entry per text asked, in order; each ordered by `start`, never overlapping. */
export type FindReply = Result<FoundNumber[][]>;
/** The live call as the chip in the page shows it: no history, no recording, no legs. */
export interface ChipCall {
  id: string;
  display: string;
  state: 'initiating' | 'callingCaller' | 'disconnected' | 'failed' | 'unknown';
  /** One sentence for the agent, in the agent's language. */
  sentence: string;
  talkSeconds?: number;
  createdAt: string;
}
export type PlaceReply = Result<ChipCall>;

export interface NumberOnPage {
  frameId?: number;
  text: string;
  display: string;
  /** Words around it, for telling two numbers apart; at most 80 characters. */
  context: string;
}

/** How the end of a call reaches us; `none`: it will not be known. */
export type Followed = 'relay' | 'none';

/** One call as our own pages see it. `call` is the whole record; the rest is ours. */
export interface HistoryEntry {
  /** The click's id: what `page.note` names. */
  id: string;
  call: Call;
  display: string;
  country?: string;
  /** Extension digits to send after the callee answered, where the number had some. */
  extension?: string;
  note: string;
  followed: Followed;
  /** One sentence for the agent, in the agent's language. */
  sentence: string;
}

/** State of the one stream that follows all open calls; `idle`: no call is open, so nothing runs. */
export type FollowState = 'idle' | 'connecting' | 'open' | 'offline' | 'wrongKey';

/** What popup, side panel and sidebar show at once. Sent anew as `BackgroundToPages` whenever it changes. */
export interface PanelState {
  /** Why no call can be placed as things are. */
  problem?: ErrorCode;
  /** What the problem is about: a host, an address. */
  problemDetail?: string;
  /** The agent's own extension: who rings first. */
  from?: string;
  /** The newest call while it is open, and a few seconds after its end. */
  live: HistoryEntry | null;
  /** The ten newest calls. */
  recent: HistoryEntry[];
  follow: FollowState;
  /** The active tab, where it is a web page. */
  tab?: {
    id: number;
    host: string;
    site: 'enabled' | 'blocked' | 'default';
    marking: boolean;
    numbers: number;
  };
}

export interface HistoryPage {
  entries: HistoryEntry[];
  /** `before` of the following page; absent on the last. */
  next?: string;
}

export interface RecordingCheck {
  result: 'available' | 'missing' | 'denied' | 'noPermission' | 'unreachable';
  /** Bytes and media type, where the server tells. */
  size?: number;
  type?: string;
}

export interface SettingsView {
  settings: Settings;
  /** Dotted paths set by the organisation: `connection.relayUrl`. */
  locked: string[];
  /** Managed values that are not valid and were left out: path and why. */
  managedProblems: { path: string; message: string }[];
  secrets: Record<'agentKey' | 'serviceToken', 'none' | 'saved' | 'managed'>;
  /** Host names of `settings.sites.enabled` that the browser no longer lets us run on. */
  missingPermission: string[];
}

/** Why a connection cannot be made; each has a sentence (`cause_<cause>`). */
export const connectionCauses = [
  'notConfigured',
  'insecure',
  'noPermission',
  'unreachable', // name not found, refused, or nothing there: browsers do not tell which
  'httpsOnly', // plain http fails at once in a browser that is set to https only
  'tls', // https fails while something answers at that address
  'timeout',
  'wrongPath',
  'wrongKey',
  'wrongToken',
  'notTheRelay',
  'serverError',
] as const;
export type ConnectionCause = (typeof connectionCauses)[number];

/** One line per address that was tried, in the order in which a call would use them. */
export interface ConnectionTest {
  ok: boolean;
  checks: {
    what: 'relay' | 'primary' | 'secondary' | 'local';
    url: string;
    ok: boolean;
    cause?: ConnectionCause;
    /** One sentence that says what is wrong and what to do. */
    sentence: string;
  }[];
}

/** Broadcast to our own pages by `runtime.sendMessage`; they ask `page.state` once, then listen. */
export type BackgroundToPages = { type: 'background.changed'; what: 'calls' | 'settings' | 'tab' | 'follow' };
