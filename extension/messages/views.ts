/** What pages and content scripts show: numbers, calls, settings and checks as the background describes them. */
import { z } from 'zod/mini';
import type { Call } from '../../shared/call/call.ts';
import { NumberInText } from '../../shared/numbers/number-in-text.ts';
import type { RecordKey } from '../../shared/record/template.ts';
import type { Settings } from '../settings.ts';
import type { ErrorCode } from './error-codes.ts';
import { hostName, rowLinks, shortText } from './fields.ts';

/** A number on the screen: the text that shows it, and the digits that `/call` gets. */
export const ShownNumber = z.object({
  /** At most as long as its text. A number that is in no numbering plan is shown as written. */
  display: shortText,
  to: z.string().check(z.maxLength(64)),
});
export type ShownNumber = z.infer<typeof ShownNumber>;

/** A reading that the agent is asked about: its text `+49 30 901820`, its digits, and its country: "Germany". */
export interface OfferedReading extends ShownNumber {
  /** Its country's name in the agent's language; absent for numbers of no country. */
  place?: string | undefined;
}

/** A number as a page may see it: its text, and the digits that would be dialled. */
export interface JudgedNumber {
  display: string;
  /** Digits that `/call` would get. */
  to: string;
  extension?: string;
  country?: string;
  /** The country's name in the agent's language, if it is not the agent's own country. The tip shows it. */
  place?: string;
  /** Set if the country is doubtful. `content.dial` then replies `confirmFirst` with the readings to ask about. */
  isDoubtful?: boolean;
  verdict: 'allow' | 'confirm' | 'refuse';
  /** The guard's reason in words, if it asks or refuses. */
  reason?: string;
}
/** What the team knows of a number, each part in words for the agent. */
export interface KnownNumber {
  /** "Ana Prado, Acme" */
  name?: string;
  /** "Rui talked with this number yesterday, 14:05, for 4 min." */
  lastTalk?: string;
  /**
   * Why no call is allowed: "Asked not to be called. Rui, today, 10:14.", or the hours at that place. Then no button
   * calls, unless `mayOverride` is set.
   */
  refusal?: string;
  /** Whether this agent may call in spite of `refusal`, by giving a reason. */
  mayOverride?: boolean | undefined;
  /** "Marta is calling this number." */
  lease?: string;
}

/** A number of the directory, with the person that it reaches. */
export interface PersonView {
  name: string;
  organisation?: string | undefined;
  /** The kind of number, as its source names it: "work". */
  label?: string | undefined;
  /** The number as it would be typed into the dial field. */
  display: string;
}

/** The record that a call from here is about, as the agent sees it before the click. */
export interface ShownRecord {
  record: RecordKey | null;
  /** "ticket 4711 · rt", with a mark if it is known only from the page; empty without a record. */
  label: string;
}

/** The live call as the chip in the page shows it: no history, no recording, no legs. */
export interface ChipCall {
  id: string;
  display: string;
  state: Call['state'];
  /** One sentence for the agent, in the agent's language. */
  sentence: string;
  /** The call is over and the agent has nothing to do about it. The card then closes by itself. */
  isDone?: boolean | undefined;
  createdAt: string;
  /** The time of the last change, which never goes back. A state with an earlier time is outdated. */
  changedAt: string;
  /**
   * ISO 8601: when the two began to talk. A clock beside the sentence counts from it. Absent before and after the talk.
   */
  connectedAt?: string | undefined;
  /** Whether `content.hangUp` can end the call. */
  canHangUp?: boolean | undefined;
  /** Whether the panel can save the call's outcome and note. */
  canWrapUp?: boolean | undefined;
}

/** Reply of a content script to `background.list`, one entry per number. */
export const NumberInList = z.object({
  source: NumberInText,
  /** Lines that may name whom the number reaches, the likeliest first. Some of them are empty. */
  context: z.string(),
  links: rowLinks,
});
export type NumberInList = z.infer<typeof NumberInList>;

/** The place of a listed number. The number can be judged again from this and `source` alone. */
export const SourceOnPage = z.object({
  source: NumberInText,
  /** The host of the frame. It is empty for local files. */
  host: hostName,
});
export type SourceOnPage = z.infer<typeof SourceOnPage>;

/** A number of a page's list, judged in the same way as where it is marked. */
export interface NumberOnPage extends SourceOnPage {
  /** The name or label beside the number; empty without one. */
  context: string;
  /** The name beside the number, if what stands there is not only a label of telephones. */
  name?: string | undefined;
  number: JudgedNumber;
  /** The page's own record, or else the record that the number's row links to. */
  record?: RecordKey | undefined;
}

export const siteStates = ['enabled', 'blocked', 'default'] as const;
/** Whether numbers are marked on a site. `default`: not one rule is about the site, so they are not. */
export type SiteState = (typeof siteStates)[number];

/** How we learn the end of a call. `none`: we do not learn it. */
export type Followed = 'relay' | 'none';

/** One call as our own pages see it. `call` is the whole call; the other fields are our own. */
export interface HistoryEntry {
  /** The click's id. `page.note` uses it as its `id`. */
  id: string;
  call: Call;
  display: string;
  /** The person or organisation that the number reaches, as far as the directory or the page names it. */
  name?: string | undefined;
  /** The extension digits to send after the callee answered, if the number had an extension. */
  extension?: string | undefined;
  /** This browser keeps the note. */
  note: string;
  /** Whether a relay keeps the outcome and note, in `call.wrapUp`. */
  hasWrapUp?: boolean | undefined;
  /** The record that the call was about before, if it has none now. */
  formerRecord?: RecordKey | undefined;
  /** The agent wants the call on no record. */
  isNotLogged?: boolean | undefined;
  followed: Followed;
  /** Why no call was placed, if the call's own state does not show it. */
  failure?: ErrorCode | undefined;
  /** One sentence for the agent, in the agent's language. */
  sentence: string;
}

/**
 * The state of the one stream that follows open and unfinished calls. `idle`: a relay follows none of them, so the
 * stream is closed.
 */
export type FollowState = 'idle' | 'connecting' | 'open' | 'offline' | 'wrongKey';

/** What popup, side panel and sidebar show at once. Pages read it again on each `background.changed`. */
export interface PanelState {
  /** Why no call can be placed at present. */
  problem?: ErrorCode | undefined;
  /** The host or address that the problem is about. */
  problemDetail?: string | undefined;
  /** The agent's own extension, which rings first. */
  from?: string | undefined;
  /** The newest placed call while it is open. Otherwise the newest call, for a few seconds after its end. */
  live: HistoryEntry | null;
  /** The ten newest calls. */
  recent: HistoryEntry[];
  /** Calls of this day that the agent's own phone did not answer. */
  lostToday: number;
  /** Calls of the last seven days whose outcome the agent has not chosen. */
  withoutOutcome: number;
  /**
   * Calls of the last seven days whose log entry waits for the agent's choice or was given up. At most twenty, newest
   * first.
   */
  recordsToChoose: HistoryEntry[];
  follow: FollowState;
  /** The active tab, if it shows a web page. */
  tab?:
    | {
        id: number;
        host: string;
        site: SiteState;
        marking: boolean;
        /** The record that its page is about, if the team's templates know it. */
        shown?: ShownRecord | undefined;
      }
    | undefined;
}

export interface HistoryPage {
  entries: HistoryEntry[];
  /** The value of `before` for the following page. It is absent on the last page. */
  next?: string;
}

export interface RecordingCheck {
  result: 'available' | 'missing' | 'denied' | 'serverError' | 'noPermission' | 'unreachable';
  /** In bytes, if the server sends it. */
  size?: number;
}

/**
 * What is wrong with a value of the organisation's policy. `secretsAreReadable`: this browser shows policies to content
 * scripts, so we read no secret from a policy. The value itself is not included: it may be a secret in the wrong place.
 */
export interface ManagedProblem {
  /** A dotted path. Members of a list have their place: `sites.enabled.1`. */
  path: string;
  problem: 'notValid' | 'noSuchSetting' | 'secretsAreReadable';
  /** The values that a `notValid` setting accepts, as JSON, if they can be listed. */
  expected?: string[];
}

export interface SettingsView {
  settings: Settings;
  /** Dotted paths set by the organisation: `connection.relayUrl`. */
  locked: string[];
  /** Managed values that are not valid and were left out. */
  managedProblems: ManagedProblem[];
  /** `otherAddress`: a secret is saved, but it is for another address than the one in the settings. */
  secrets: Record<'agentKey' | 'serviceToken', 'none' | 'saved' | 'managed' | 'otherAddress'>;
  /** Host names of `settings.sites.enabled` on which the browser does not let us run. */
  missingPermission: string[];
  /** Whether numbers are marked on any site, by settings and permissions. */
  marksAnySite: boolean;
}

/** Why a connection cannot be made. Each cause has a sentence (`cause_<cause>`). */
export const connectionCauses = [
  'notConfigured',
  'otherAddress', // the key or token was saved for another one
  'chooseExtension', // the key is for several agents and none is chosen
  'otherExtension', // the key is not for the chosen agent
  'insecure',
  'noPermission',
  'unreachable', // no name, server or certificate, or nothing there: browsers do not say which
  'httpsOnly', // plain http fails at once in a browser that is set to https only
  'tls', // https fails while something answers at that address
  'timeout',
  'wrongPath',
  'wrongKey',
  'notTheRelay',
  'serverError',
] as const;
export type ConnectionCause = (typeof connectionCauses)[number];

/** `checks` has one entry for each tested address, in the order in which a call would use them. */
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
