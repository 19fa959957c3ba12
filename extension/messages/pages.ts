/** The messages between our own pages and the background, which checks that the sender is one of them. */
import { z } from 'zod/mini';
import { outcomes } from '../../shared/call/outcome.ts';
import { PlaceCallRequest } from '../../shared/protocol/messages.ts';
import { ItemKey } from '../../shared/protocol/sheets.ts';
import { RecordKey } from '../../shared/record/template.ts';
import { calleeName, clickId, hostName, maxOwnNoteCharacters, replyOf, shortText } from './fields.ts';
import { sheetMessages } from './sheets.ts';
import {
  type ChipCall,
  type ConnectionTest,
  type HistoryPage,
  type JudgedNumber,
  type KnownNumber,
  type NumberOnPage,
  type PanelState,
  type PersonView,
  type RecordingCheck,
  type SettingsView,
  ShownNumber,
  SourceOnPage,
  siteStates,
} from './views.ts';
import { wrapUpMessages } from './wrap-up.ts';

/** The most hosts of frames that one page may have enabled. Each of them is shown to the agent. */
export const maxFrameHosts = 8;

export const secretNames = ['agentKey', 'serviceToken'] as const;
export type SecretName = (typeof secretNames)[number];
/**
 * A key or token without the invisible characters that a pasted text may contain. A browser sends no request with such
 * characters in a header.
 */
const secret = z.string().check(
  z.overwrite((pasted) => pasted.replace(/[^ -~]/g, '').trim()),
  z.minLength(1),
  z.maxLength(4096),
);
/** Secrets that a person has typed. Null removes a secret; an absent secret stays as it is. */
export const TypedSecrets = z.partialRecord(z.enum(secretNames), z.nullable(secret));
export type TypedSecrets = z.infer<typeof TypedSecrets>;

/** Requests of our own pages (popup, side panel, options, call page). */
export const pageMessages = {
  ...wrapUpMessages,
  ...sheetMessages,
  'page.state': { request: z.object({}), reply: replyOf<PanelState>() },
  /**
   * Judges what a person typed or followed (dial field, history, tel: handler). With `onPage`, judges the number as it
   * is in that page.
   */
  'page.judge': {
    request: z.object({ input: shortText, onPage: z.optional(SourceOnPage) }),
    reply: replyOf<JudgedNumber | null>(),
  },
  'page.dial': {
    request: z.object({
      click: clickId,
      input: shortText,
      /** The place in a page of the number that `input` shows. */
      onPage: z.optional(SourceOnPage),
      /** The name beside the number in the page's list. */
      name: z.optional(calleeName),
      /** The reading that the agent chose, if several were offered. */
      shown: z.optional(ShownNumber),
      confirmed: z.optional(z.boolean()),
      /**
       * The reason to ask that was on the screen when the agent clicked. If there is another reason, the agent is asked
       * again.
       */
      confirmedReason: z.optional(shortText),
      callerid: z.optional(z.string().check(z.maxLength(34))),
      forceFrom: z.optional(z.boolean()),
      /** The record that the call is about, as our page showed it. Null: the agent chose no record. */
      record: z.optional(z.nullable(RecordKey)),
      /** The item of a call sheet that this call is for. */
      item: z.optional(ItemKey),
      /** The agent's reason to call although a rule of the team refuses. */
      override: PlaceCallRequest.shape.override,
    }),
    reply: replyOf<ChipCall>(),
  },
  /** Returns what the team knows of the numbers, given as displayed: one entry for each, in the same order. */
  'page.knownNumbers': {
    request: z.object({ displays: z.array(shortText).check(z.maxLength(200)) }),
    reply: replyOf<KnownNumber[]>(),
  },
  /** Finds people by a typed part of a name. The reply is null without a relay, or if the text is not a name. */
  'page.findPeople': { request: z.object({ typed: shortText }), reply: replyOf<PersonView[] | null>() },
  /** Hangs up a call whose `canHangUp` is set. */
  'page.hangUp': { request: z.object({ id: clickId }), reply: replyOf<null>() },
  /** Reads the history, newest first. It can be searched in numbers and notes, and limited to one outcome. */
  'page.history': {
    request: z.object({
      search: z.optional(shortText),
      outcome: z.optional(z.enum(outcomes)),
      /** Only calls whose wrap-up has no outcome yet. */
      lacksOutcome: z.optional(z.boolean()),
      before: z.optional(z.string()),
    }),
    reply: replyOf<HistoryPage>(),
  },
  'page.note': {
    request: z.object({ id: z.string(), note: z.string().check(z.maxLength(maxOwnNoteCharacters)) }),
    reply: replyOf<null>(),
  },
  /** Removes one finished call and its note. */
  'page.forgetCall': { request: z.object({ id: z.string() }), reply: replyOf<null>() },
  /** Clears the history. `kept`: how many calls are in progress and stay. */
  'page.forgetHistory': { request: z.object({}), reply: replyOf<{ kept: number }>() },
  'page.settings': { request: z.object({}), reply: replyOf<SettingsView>() },
  /** Replaces the settings after `Settings` has parsed them. Locked paths keep their values. */
  'page.saveSettings': { request: z.object({ settings: z.unknown() }), reply: replyOf<SettingsView>() },
  /** Stores a secret, or removes it if the value is null. No message returns a secret. */
  'page.setSecret': {
    request: z.object({ name: z.enum(secretNames), value: z.nullable(secret) }),
    reply: replyOf<SettingsView>(),
  },
  /**
   * Tests what is in the fields of the options page, saved or not. Without `settings`, tests the saved settings. It
   * places no call.
   */
  'page.testConnection': {
    request: z.object({ settings: z.optional(z.unknown()), secrets: z.optional(TypedSecrets) }),
    reply: replyOf<ConnectionTest>(),
  },
  /** Turns a host on or off. The page has already requested the permission, inside the click. */
  'page.setSite': {
    request: z.object({ host: hostName, state: z.enum(siteStates) }),
    reply: replyOf<SettingsView>(),
  },
  /** Turns the frames of a page on together. Turns them off again if the browser refused the permission. */
  'page.setFrames': {
    request: z.object({
      page: hostName,
      hosts: z.array(hostName).check(z.maxLength(maxFrameHosts)),
      isEnabled: z.boolean(),
    }),
    reply: replyOf<SettingsView>(),
  },
  /**
   * Lists the hosts of a tab's frames that can be turned on: not marked yet, and not blocked. Each frame that we run in
   * reports the frames inside it.
   */
  'page.framesOnPage': { request: z.object({ tabId: z.int() }), reply: replyOf<string[]>() },
  /**
   * Excludes a number, as displayed, from marking on a site, because it is not a telephone number. Or includes it
   * again.
   */
  'page.excludeNumber': {
    request: z.object({
      host: hostName,
      number: shortText,
      isExcluded: z.boolean(),
    }),
    reply: replyOf<SettingsView>(),
  },
  /** Scans the given tab once (`activeTab`). */
  'page.scanTab': { request: z.object({ tabId: z.int() }), reply: replyOf<null>() },
  /** Lists the numbers on the page of a tab, from all frames. Null: we cannot read the page. */
  'page.numbersOnPage': { request: z.object({ tabId: z.int() }), reply: replyOf<NumberOnPage[] | null>() },
  /**
   * Returns an internal extension as the page names it ("ramal 2201"). The reply is null if the page names none, or if
   * the settings have a pattern for extensions.
   */
  'page.extensionOnPage': { request: z.object({ tabId: z.int() }), reply: replyOf<string | null>() },
  /** Sends one HEAD request for a call's recording, only if a person asked for it. It needs the host's permission. */
  'page.checkRecording': {
    request: z.object({
      id: z.string(),
      /** v1 completes the address by call id; some services keep the file under its own name (interface 9). */
      by: z.optional(z.enum(['callid', 'audioFile'])),
    }),
    reply: replyOf<RecordingCheck>(),
  },
} as const;

export type PageMessage = keyof typeof pageMessages;
/** The fields of a request. The sender adds its `type`. */
export type PageRequest<M extends PageMessage> = z.infer<(typeof pageMessages)[M]['request']>;
export type PageReply<M extends PageMessage> = (typeof pageMessages)[M]['reply'];

/** Broadcast to our own pages by `runtime.sendMessage`: which part of what they show has changed. */
export type BackgroundToPages = {
  type: 'background.changed';
  what: 'calls' | 'settings' | 'tab' | 'follow' | 'names' | 'sheets' | 'item';
};
