/** What pages and content scripts show: numbers, calls, settings and checks as the background describes them. */
import { z } from 'zod/mini';
import type { Call } from '../../shared/call/call.ts';
import { NumberInText } from '../../shared/numbers/number-in-text.ts';
import type { RecordKey } from '../../shared/record/template.ts';
import type { Settings } from '../settings.ts';
import type { ErrorCode } from './error-codes.ts';
import { hostName, rowLinks, shortText } from './fields.ts';

/** A number as it was, or is to be, on the screen: how it is shown, and the digits that `/call` gets. */
export const ShownNumber = z.object({
  /** As long as its text at most: what no plan has is shown as written. */
  display: shortText,
  to: z.string().check(z.maxLength(64)),
});
export type ShownNumber = z.infer<typeof ShownNumber>;

/** A reading that the agent is asked about: `+49 30 901820`, its digits, and where it is: "Germany". */
export interface OfferedReading extends ShownNumber {
  /** Its country's name in the agent's language; absent for numbers of no country. */
  place?: string | undefined;
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
/** What the team knows of a number, each part in words for the agent. */
export interface KnownNumber {
  /** "Ana Prado, Acme" */
  name?: string;
  /** "Rui talked with this number yesterday, 14:05, for 4 min." */
  lastTalk?: string;
  /** "Asked not to be called. Rui, today, 10:14.", or the hours there: there is no button to call. */
  refusal?: string;
  /** This agent may call with a reason what is refused. */
  mayOverride?: boolean | undefined;
  /** "Marta is calling this number." */
  lease?: string;
}

/** A number of the directory, with whom it reaches. */
export interface PersonView {
  name: string;
  organisation?: string | undefined;
  role?: string | undefined;
  /** The kind of number, in the source's own word: "work". */
  label?: string | undefined;
  /** The number, as it is dialled from a field. */
  display: string;
}

/** What a call from here is about, as the agent sees it before the click. */
export interface ShownRecord {
  record: RecordKey | null;
  /** "ticket 4711 · rt", marked where the page alone says so; empty where there is none. */
  label: string;
}

/** The live call as the chip in the page shows it: no history, no recording, no legs. */
export interface ChipCall {
  id: string;
  display: string;
  state: Call['state'];
  /** One sentence for the agent, in the agent's language. */
  sentence: string;
  /** Over, and nothing for the agent to do about it: the card goes by itself. */
  isDone?: boolean | undefined;
  createdAt: string;
  /** The time of the last change, which never goes back. An account with an earlier time is outdated. */
  changedAt: string;
  /** ISO 8601: since then the two talk, and a clock runs beside the sentence; absent before and after. */
  connectedAt?: string | undefined;
  /** Whether `content.hangUp` can end it. */
  canHangUp?: boolean | undefined;
  /** Whether the panel takes its outcome and note. */
  canWrapUp?: boolean | undefined;
}

/** Reply of a content script to `background.list`, one entry per number. */
export const NumberInList = z.object({
  source: NumberInText,
  /** The name or label that belongs to it; empty where there is none. */
  context: z.string(),
  links: rowLinks,
});
export type NumberInList = z.infer<typeof NumberInList>;

/** Where a listed number is: with `source`, all that is needed to judge it again. */
export const SourceOnPage = z.object({
  source: NumberInText,
  /** The host of the frame. It is empty for local files. */
  host: hostName,
});
export type SourceOnPage = z.infer<typeof SourceOnPage>;

/** A number of a page's list, judged as where it is marked. */
export interface NumberOnPage extends SourceOnPage {
  context: string;
  number: JudgedNumber;
  /** The record of the page, else the one that its row links to. */
  record?: RecordKey | undefined;
}

/** How the end of a call reaches us; `none`: it will not be known. */
export type Followed = 'relay' | 'none';

/** One call as our own pages see it. `call` is the whole record; the rest is ours. */
export interface HistoryEntry {
  /** The click's id: what `page.note` names. */
  id: string;
  call: Call;
  display: string;
  /** Whom the number reaches, as far as the directory or the page says. */
  name?: string | undefined;
  country?: string | undefined;
  /** Extension digits to send after the callee answered, where the number had some. */
  extension?: string | undefined;
  /** Kept in this browser. */
  note: string;
  /** Whether outcome and note live at a relay, in `call.wrapUp`. */
  hasWrapUp?: boolean | undefined;
  /** What a call without a record was about before. */
  formerRecord?: RecordKey | undefined;
  /** The agent wants it on no record. */
  isNotLogged?: boolean | undefined;
  followed: Followed;
  /** Why nothing was placed, where the call's own state does not show it. */
  failure?: ErrorCode | undefined;
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
  /** Calls of this day that the agent's own phone did not answer. */
  lostToday: number;
  /** Calls of the last seven days whose outcome the agent has not chosen. */
  withoutOutcome: number;
  /** Calls of the last seven days whose entry needs the agent, newest first. */
  recordsToChoose: HistoryEntry[];
  follow: FollowState;
  /** The active tab, where it is a web page. */
  tab?:
    | {
        id: number;
        host: string;
        site: 'enabled' | 'blocked' | 'default';
        marking: boolean;
        /** What its page is about, where the team's templates know it. */
        shown?: ShownRecord | undefined;
      }
    | undefined;
}

export interface HistoryPage {
  entries: HistoryEntry[];
  /** `before` of the following page; absent on the last. */
  next?: string;
}

export interface RecordingCheck {
  result: 'available' | 'missing' | 'denied' | 'serverError' | 'noPermission' | 'unreachable';
  /** Bytes and media type, where the server sends them. */
  size?: number;
  type?: string;
}

/**
 * What is wrong with a value of the organisation's policy. `secretsAreReadable`: this browser shows policies to content
 * scripts, so no secret is read from one. The value is left out: it may be a secret in the wrong place.
 */
export interface ManagedProblem {
  /** Dotted, in a list by place: `sites.enabled.1`. */
  path: string;
  problem: 'notValid' | 'noSuchSetting' | 'secretsAreReadable';
  /** The values that a `notValid` setting takes, as JSON, where they can be listed. */
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
  /** Whether numbers are marked on any site, by settings and permissions. */
  marksAnySite: boolean;
}

/** Why a connection cannot be made; each has a sentence (`cause_<cause>`). */
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
