/**
 * Every message inside the extension, split by who may send it, each request with the type of its reply. The background
 * parses each request and checks its sender; a content script is as untrusted as its page (Law 3).
 *
 * Replies travel as a `Result`: a thrown error loses its fields on the way.
 */
import { z } from 'zod/mini';
import type { Call } from '../shared/call/call.ts';
import { callOutcomes } from './call-outcome.ts';
import type { PageRules } from './page-rules.ts';
import type { Settings } from './settings.ts';

/** Codes of everything that can go wrong between a click and a call; each has a sentence in `_locales` (`error_<code>`). */
export const errorCodes = [
  'notConfigured', // nothing to call with: no relay or service address, no agent, no key or token
  'otherAddress', // key or token were saved for another address than the one that is set
  'chooseExtension', // the agent key is for several agents; `detail` is their codes as words
  'wrongKey', // the relay does not accept the agent key
  'relayUnreachable',
  'hangUpFailed', // the call goes on: the relay or the service could not end it
  'relayRefused', // the relay answered with a problem; `detail` is a sentence that says which
  'insecure', // plain http without the deliberate yes
  'noPermission', // the browser was not allowed to reach that address
  'notANumber',
  'refusedByGuard', // `detail` is the guard's reason
  'confirmFirst', // the guard asks; `detail` is its reason: ask the agent in our own UI, then send `confirmed: true`
  'confirmElsewhere', // a costly number clicked in a page: our call page was opened to ask
  'callInProgress', // `detail`: seconds until the agent may try again, where that is known
  'coolDown',
  'numberChanged', // what is on the page is not what the agent saw
  'notAllowedHere', // a page or frame that is not enabled, or a message that is not ours
  'badMessage',
  'internal',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** A number as it was, or is to be, on the screen: how it is shown, and the digits that `/call` gets. */
export const ShownNumber = z.object({
  display: z.string().check(z.maxLength(64)),
  to: z.string().check(z.maxLength(64)),
});
export type ShownNumber = z.infer<typeof ShownNumber>;

/** A reading that the agent is asked about: `+49 30 901820`, its digits, and where it is: "Germany". */
export interface OfferedReading extends ShownNumber {
  /** Its country's name in the agent's language; absent for numbers of no country. */
  place?: string | undefined;
}

/** Why a request was not granted. */
export interface Refusal {
  code: ErrorCode;
  detail?: string | undefined;
  /**
   * With `confirmFirst`, where the number's country is doubtful: what it may be. The first is offered ("Call +49 30 901820,
   * Germany?"), the second, where there is one, is a second button: nearly always the reading in the agent's own country.
   * The answer is the same request under a new click id with `confirmed: true` and, as `shown`, the reading that was chosen. It is
   * remembered for this number.
   */
  readings?: readonly OfferedReading[] | undefined;
}
export type Result<T> = { ok: true; value: T; error?: undefined } | { ok: false; error: Refusal };
export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const refuse = (code: ErrorCode, detail?: string): Result<never> => ({
  ok: false,
  error: { code, ...(detail !== undefined && { detail }) },
});

const text = z.string().check(z.maxLength(200));
const language = z.optional(z.string().check(z.maxLength(35)));
const contextWords = z.enum(['phone', 'none']);
const country = z.string().check(z.regex(/^[A-Z]{2}$/));
/** Random per click: makes a message that is delivered twice one call. */
const clickId = z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/));

/** Of one page; what it frames is its own doing, and each host is shown to the agent. */
export const maxFrameHosts = 8;

export const secretNames = ['agentKey', 'serviceToken'] as const;
export type SecretName = (typeof secretNames)[number];
const secret = z.string().check(z.minLength(1), z.maxLength(4096));
/** Secrets that a person has typed; null: to be removed. One that is absent stays as it is. */
export const TypedSecrets = z.partialRecord(z.enum(secretNames), z.nullable(secret));
export type TypedSecrets = z.infer<typeof TypedSecrets>;

/** The type of a reply, for the compiler alone: there is no value. */
const reply = <T>() => undefined as T;

/** Requests of content scripts. The reply holds nothing that is not meant for the page. */
export const contentMessages = {
  /**
   * Finds the numbers in stretches of text around digits, each by itself. The background does it because the context words of
   * five languages do not fit a content script. The reply has one entry per text, in order, sorted by `start`, without overlaps.
   * `labels`: for each text what names it in another box, a column's head or a label; empty where nothing does.
   */
  'content.find': {
    request: z.object({
      texts: z.array(z.string().check(z.maxLength(1000))).check(z.maxLength(200)),
      labels: z.optional(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(200))),
      lang: language,
    }),
    reply: reply<FoundNumber[][]>(),
  },
  /**
   * Reports a trusted click on a marked number or a tel: link. `shown` is the display and the digits that the agent saw; the
   * background judges `text` again and refuses anything else.
   */
  'content.dial': {
    request: z.object({
      click: clickId,
      text,
      contextWords,
      /** The number in full as the background found it, where `text` is only its end. */
      whole: z.optional(text),
      /** The country that the text around it names, as the background found it. */
      near: z.optional(country),
      lang: language,
      shown: ShownNumber,
      /** Set after the agent said yes in our own confirm card (closed shadow root, trusted click). */
      confirmed: z.optional(z.boolean()),
    }),
    reply: reply<ChipCall>(),
  },
  /** Hangs up a call that this very frame placed, where its `canHangUp` says so. */
  'content.hangUp': { request: z.object({ id: clickId }), reply: reply<null>() },
  /**
   * Judges a tel:, callto: or sip: link under the pointer; null where its number is none, or excluded on this site. `lang` is the
   * one that `content.dial` will repeat.
   */
  'content.judgeLink': {
    request: z.object({ href: z.string().check(z.maxLength(300)), lang: language }),
    reply: reply<JudgedNumber | null>(),
  },
  /** Reports the marked number under the mouse, for the context menu; none: the pointer has left it. */
  'content.pointAt': { request: z.object({ number: z.optional(text) }), reply: reply<null>() },
  /** Reports how many numbers this frame shows. */
  'content.found': { request: z.object({ count: z.int() }), reply: reply<null>() },
  /** Reads what a content script shows: no secret, no history. */
  'content.hello': { request: z.object({}), reply: reply<ContentSettings>() },
  /** Runs a further script in this frame: the one for the page's controls, or the commands' and that one. */
  'content.load': {
    request: z.object({ script: z.enum(['controls', 'commands']) }),
    reply: reply<null>(),
  },
} as const;

/** Requests of our own pages (popup, side panel, options, call page). */
export const pageMessages = {
  'page.state': { request: z.object({}), reply: reply<PanelState>() },
  /** Judges what a person typed or followed (dial field, history, tel: handler). */
  'page.judge': { request: z.object({ input: text }), reply: reply<JudgedNumber | null>() },
  'page.dial': {
    request: z.object({
      click: clickId,
      input: text,
      /** The reading that was chosen, where several were offered. */
      shown: z.optional(ShownNumber),
      confirmed: z.optional(z.boolean()),
      /** The reason to ask that was on the screen when the agent clicked; another is asked about. */
      confirmedReason: z.optional(text),
      callerid: z.optional(z.string().check(z.maxLength(34))),
      forceFrom: z.optional(z.boolean()),
    }),
    reply: reply<ChipCall>(),
  },
  /** Hangs up a call whose `canHangUp` says so. */
  'page.hangUp': { request: z.object({ id: clickId }), reply: reply<null>() },
  /** Reads the history, newest first, searched in numbers and notes, of one outcome or of all. */
  'page.history': {
    request: z.object({
      search: z.optional(text),
      outcome: z.optional(z.enum(callOutcomes)),
      before: z.optional(z.string()),
    }),
    reply: reply<HistoryPage>(),
  },
  'page.note': {
    request: z.object({ id: z.string(), note: z.string().check(z.maxLength(2000)) }),
    reply: reply<null>(),
  },
  /** Removes one call that is over, and its note. */
  'page.forgetCall': { request: z.object({ id: z.string() }), reply: reply<null>() },
  /** Clears the history. `kept`: how many calls are in progress and stay. */
  'page.forgetHistory': { request: z.object({}), reply: reply<{ kept: number }>() },
  'page.settings': { request: z.object({}), reply: reply<SettingsView>() },
  /** Replaces the settings (parsed by `Settings`); locked paths keep their values. */
  'page.saveSettings': { request: z.object({ settings: z.unknown() }), reply: reply<SettingsView>() },
  /** Stores or, with null, removes a secret. No message reads one back. */
  'page.setSecret': {
    request: z.object({ name: z.enum(secretNames), value: z.nullable(secret) }),
    reply: reply<SettingsView>(),
  },
  /** Tests what is in the fields of the options page, saved or not; without settings, what is saved. Places no call. */
  'page.testConnection': {
    request: z.object({ settings: z.optional(z.unknown()), secrets: z.optional(TypedSecrets) }),
    reply: reply<ConnectionTest>(),
  },
  /** Turns a host on or off; the page has asked for the permission, inside the click. */
  'page.setSite': {
    request: z.object({
      host: z.string().check(z.maxLength(253)),
      state: z.enum(['enabled', 'blocked', 'default']),
    }),
    reply: reply<SettingsView>(),
  },
  /** Turns the frames of a page on together, or off again where the permission was refused; asked for inside the click. */
  'page.setFrames': {
    request: z.object({
      page: z.string().check(z.maxLength(253)),
      hosts: z.array(z.string().check(z.maxLength(253))).check(z.maxLength(maxFrameHosts)),
      isEnabled: z.boolean(),
    }),
    reply: reply<SettingsView>(),
  },
  /** Lists the hosts of the frames in a tab that numbers are not marked in, for all frames that we run in. */
  'page.framesOnPage': { request: z.object({ tabId: z.int() }), reply: reply<string[]>() },
  /** Excludes a number, as displayed, from marking on a site, where it is no telephone number, or includes it again. */
  'page.excludeNumber': {
    request: z.object({
      host: z.string().check(z.maxLength(253)),
      number: z.string().check(z.maxLength(64)),
      isExcluded: z.boolean(),
    }),
    reply: reply<SettingsView>(),
  },
  /** Scans the given tab once (`activeTab`). */
  'page.scanTab': { request: z.object({ tabId: z.int() }), reply: reply<null>() },
  /** Lists the numbers on the page of a tab, all frames. */
  'page.numbersOnPage': { request: z.object({ tabId: z.int() }), reply: reply<NumberOnPage[]>() },
  /** An internal extension as the page of a tab names it ("ramal 2201"), where the settings have no pattern for any; else null. */
  'page.extensionOnPage': { request: z.object({ tabId: z.int() }), reply: reply<string | null>() },
  /** Sends one HEAD request for a call's recording, only because a person asked; needs the host's permission. */
  'page.checkRecording': {
    request: z.object({
      id: z.string(),
      /** v1 completes the address by call id; some services keep the file under its own name (interface 9). */
      by: z.optional(z.enum(['callid', 'audioFile'])),
    }),
    reply: reply<RecordingCheck>(),
  },
} as const;

type Messages = typeof contentMessages & typeof pageMessages;
export type ContentMessage = keyof typeof contentMessages;
export type PageMessage = keyof typeof pageMessages;
/** The fields of a request; on the way its `type` joins them. */
export type Request<M extends keyof Messages> = z.infer<Messages[M]['request']>;
export type Reply<M extends keyof Messages> = Messages[M]['reply'];

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
  /** Of the overlay, as CSS names it. */
  colorScheme: 'light' | 'dark' | 'light dark';
  /** Until the tip is visible, which `style` sees to; how long it was seen counts from then. */
  tipDelayMs: number;
  /** Every text the content script shows, in the agent's language: it carries no message files. */
  texts: Record<string, string>;
  /** Style of the overlay. */
  style: string;
  /** Style of the marks. */
  markStyle: string;
  rules: PageRules;
  /** Direction of that language. */
  direction: 'ltr' | 'rtl';
}

/** A number as a page may see it: its own text, and what would be dialled. */
export interface JudgedNumber {
  display: string;
  /** Digits that `/call` would get. */
  to: string;
  extension?: string;
  country?: string;
  /** The country's name in the agent's language, where it is not the agent's own: the tip says where the number is. */
  place?: string;
  /** Set where the country is doubtful: `content.dial` answers `confirmFirst` with the readings to ask about. */
  isDoubtful?: boolean;
  verdict: 'allow' | 'confirm' | 'refuse';
  /** The guard's reason in words, where it asks or refuses. */
  reason?: string;
}
/** A number in a text of the request; UTF-16 units. `content.dial` repeats `text.slice(start, end)`, `contextWords`, `whole` and `near`. */
export interface FoundNumber {
  start: number;
  end: number;
  contextWords: z.infer<typeof contextWords>;
  whole?: string | undefined;
  near?: string | undefined;
  number: JudgedNumber;
}
/** The live call as the chip in the page shows it: no history, no recording, no legs. */
export interface ChipCall {
  id: string;
  display: string;
  state: Call['state'];
  /** One sentence for the agent, in the agent's language. */
  sentence: string;
  talkSeconds?: number | undefined;
  createdAt: string;
  /** Of the last change, never going back: an account with an earlier one is outdated. */
  changedAt: string;
  /** ISO 8601: since then the two talk, and a clock runs beside the sentence; absent before and after. */
  connectedAt?: string | undefined;
  /** Whether `content.hangUp` can end it. */
  canHangUp?: boolean | undefined;
}

/** Reply of a content script to `background.list`, one entry per number. */
export const NumberOnPage = z.object({
  frameId: z.optional(z.int()),
  /** Of the frame; the background adds it. */
  host: z.optional(z.string()),
  text: z.string(),
  display: z.string(),
  /** The name or label that belongs to it; empty where there is none. */
  context: z.string(),
});
export type NumberOnPage = z.infer<typeof NumberOnPage>;

/** How the end of a call reaches us; `none`: it will not be known. */
export type Followed = 'relay' | 'none';

/** One call as our own pages see it. `call` is the whole record; the rest is ours. */
export interface HistoryEntry {
  /** The click's id: what `page.note` names. */
  id: string;
  call: Call;
  display: string;
  country?: string | undefined;
  /** Extension digits to send after the callee answered, where the number had some. */
  extension?: string | undefined;
  note: string;
  followed: Followed;
  /** One sentence for the agent, in the agent's language. */
  sentence: string;
}

/** State of the one stream that follows all open calls; `idle`: no call is open, so nothing runs. */
export type FollowState = 'idle' | 'connecting' | 'open' | 'offline' | 'wrongKey';

/** What popup, side panel and sidebar show at once. Pages read it again on each `background.changed`. */
export interface PanelState {
  /** Why no call can be placed as things are. */
  problem?: ErrorCode | undefined;
  /** What the problem is about: a host, an address. */
  problemDetail?: string | undefined;
  /** The agent's own extension: who rings first. */
  from?: string | undefined;
  /** The newest call while it is open, and a few seconds after its end. */
  live: HistoryEntry | null;
  /** The ten newest calls. */
  recent: HistoryEntry[];
  follow: FollowState;
  /** The active tab, where it is a web page. */
  tab?:
    | {
        id: number;
        host: string;
        site: 'enabled' | 'blocked' | 'default';
        marking: boolean;
        numbers: number;
      }
    | undefined;
}

export interface HistoryPage {
  entries: HistoryEntry[];
  /** `before` of the following page; absent on the last. */
  next?: string;
}

export interface RecordingCheck {
  result: 'available' | 'missing' | 'denied' | 'noPermission' | 'unreachable';
  /** Bytes and media type, where the server sends them. */
  size?: number;
  type?: string;
}

/**
 * What is wrong with a value of the organisation's policy: the setting does not take it; there is no such setting; this browser
 * shows policies to content scripts, so that no secret is taken from one. The value itself is left out: it may be a secret in the wrong place.
 */
export interface ManagedProblem {
  /** Dotted, in a list by place: `sites.enabled.1`. */
  path: string;
  problem: 'notValid' | 'noSuchSetting' | 'secretsAreReadable';
  /** With `notValid`, where it can be written down: the values that it takes, as JSON. */
  expected?: string[];
}

export interface SettingsView {
  settings: Settings;
  /** Dotted paths set by the organisation: `connection.relayUrl`. */
  locked: string[];
  /** Managed values that are not valid and were left out. */
  managedProblems: ManagedProblem[];
  /** `otherAddress`: saved, but for another address than the one that is set. */
  secrets: Record<'agentKey' | 'serviceToken', 'none' | 'saved' | 'managed' | 'otherAddress'>;
  /** Host names of `settings.sites.enabled` that the browser no longer lets us run on. */
  missingPermission: string[];
}

/** Why a connection cannot be made; each has a sentence (`cause_<cause>`). */
export const connectionCauses = [
  'notConfigured',
  'otherAddress', // the key or token was saved for another one
  'chooseExtension', // the key is for several agents and none is chosen
  'otherExtension', // the key is not for the chosen agent
  'insecure',
  'noPermission',
  'unreachable', // name not found, refused, or nothing there: browsers do not say which
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

/** Broadcast to our own pages by `runtime.sendMessage`: which part of what they show has changed. */
export type BackgroundToPages = { type: 'background.changed'; what: 'calls' | 'settings' | 'tab' | 'follow' };
