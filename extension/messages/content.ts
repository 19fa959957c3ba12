/**
 * The messages between content scripts and the background. The background parses each request and checks its sender;
 * a content script is as untrusted as its page (Law 3).
 */
import { z } from 'zod/mini';
import { NumberInText } from '../../shared/numbers/number-in-text.ts';
import { RecordKey } from '../../shared/record/template.ts';
import { calleeName, clickId, replyOf, rowLinks, shortText } from './fields.ts';
import { type ChipCall, type JudgedNumber, ShownNumber, type ShownRecord } from './views.ts';

/** Requests of content scripts. The reply holds nothing that is not meant for the page. */
export const contentMessages = {
  /**
   * Finds the numbers in texts around digits, each text by itself. The reply has one entry per text, in order, sorted
   * by `start`, without overlaps. `labels` has for each text what names it in another box: a column's head, a label,
   * the line of a table's heads, or nothing.
   */
  'content.find': {
    request: z.object({
      texts: z.array(z.string().check(z.maxLength(1000))).check(z.maxLength(200)),
      labels: z.optional(z.array(z.string().check(z.maxLength(200))).check(z.maxLength(200))),
      lang: NumberInText.shape.lang,
    }),
    reply: replyOf<FoundNumber[][]>(),
  },
  /**
   * Reports a trusted click on a marked number or a tel: link. `shown` is the display and the digits that the agent
   * saw; the background judges `source` again and refuses anything else.
   */
  'content.dial': {
    request: z.object({
      click: clickId,
      /** The number as the background found it, or a link's telephone address. */
      source: NumberInText,
      links: z.optional(rowLinks),
      /** What stands beside the number. */
      name: z.optional(calleeName),
      shown: ShownNumber,
      /** The record that the tip showed, as `content.record` returned it; absent where the tip had none yet. */
      record: z.optional(z.nullable(RecordKey)),
      /** Set after the agent said yes in our own confirm card (closed shadow root, trusted click). */
      confirmed: z.optional(z.boolean()),
      /** Opens our own page with the number instead, since the agent may not have seen it. */
      isAskedElsewhere: z.optional(z.boolean()),
    }),
    reply: replyOf<ChipCall>(),
  },
  /**
   * Says what the team knows of a number, for the tip that shows it. A page never asks before its tip is
   * open. A partial reply has the name alone; the tip that shows it asks once more.
   */
  'content.tip': {
    request: z.object({
      display: shortText,
      isNameShown: z.optional(z.boolean()),
    }),
    reply: replyOf<TipFacts>(),
  },
  /** Names the record that a number is about, for the tip. */
  'content.record': { request: z.object({ links: z.optional(rowLinks) }), reply: replyOf<ShownRecord>() },
  /** Hangs up a call that this very frame placed, where its `canHangUp` says so. */
  'content.hangUp': { request: z.object({ id: clickId }), reply: replyOf<null>() },
  /** Opens the panel, where the agent says how a call went. The router does it, inside the click. */
  'content.openPanel': { request: z.object({}), reply: replyOf<null>() },
  /**
   * Judges the telephone address of a link under the pointer, as `content.dial` will repeat it; null where it has no
   * number, or one that is excluded on this site.
   */
  'content.judgeLink': {
    request: z.object({ source: NumberInText }),
    reply: replyOf<JudgedNumber | null>(),
  },
  /** Reports the marked number under the mouse, for the context menu; none: the pointer has left it. */
  'content.pointAt': {
    request: z.object({ number: z.optional(shortText), source: z.optional(NumberInText) }),
    reply: replyOf<null>(),
  },
  /** Reports that this frame shows more or fewer numbers than before. */
  'content.numbersChanged': { request: z.object({}), reply: replyOf<null>() },
  /** Reads what a content script shows: no secret, no history. */
  'content.hello': { request: z.object({}), reply: replyOf<ContentSettings>() },
} as const;

export type ContentMessage = keyof typeof contentMessages;
/** The fields of a request; on the way its `type` joins them. */
export type ContentRequest<M extends ContentMessage> = z.infer<(typeof contentMessages)[M]['request']>;
export type ContentReply<M extends ContentMessage> = (typeof contentMessages)[M]['reply'];

/** What the background sends to content scripts (`tabs.sendMessage`). */
export type ToContent =
  /**
   * Moves the focus to the next number in this frame -> whether there is one. `isEntered`: from the frame's edge, not
   * from the focused number; undefined: from there, then from the edge.
   */
  | { type: 'background.step'; to: 'next' | 'previous'; isEntered?: boolean }
  | { type: 'background.dialFocused' }
  | { type: 'background.settings'; settings: ContentSettings }
  /** State of the call that this tab placed: only what the chip shows. */
  | { type: 'background.call'; call: ChipCall }
  | { type: 'background.ping' } // any script of ours that runs there answers, with nothing
  | { type: 'background.list' } // -> ListedNumber[] of this frame
  | { type: 'background.stop' }; // disabled, blocked or removed: undo everything

export interface ContentSettings {
  underline: 'dotted' | 'solid' | 'none';
  /** The colour scheme of the overlay, as a value of CSS `color-scheme`. */
  colorScheme: 'light' | 'dark' | 'light dark';
  /** How long `style` hides a new tip. The time for which it was seen counts from then. */
  tipDelayMs: number;
  /** Every text the content script shows, in the agent's language: it carries no message files. */
  texts: Record<string, string>;
  /** Whether the tip keeps a line for records and names: a relay may know some. */
  hasTeamLine: boolean;
  /** No keyboard shortcut leads to the numbers: a stop of the Tab key does. */
  offersSkipLink: boolean;
  /** Direction of that language. */
  direction: 'ltr' | 'rtl';
}

/** One line of the tip. */
export interface TipFacts {
  /** "Ana Prado, Acme · Marta is calling this number."; empty where nothing is known. */
  words: string;
  /** The person who has the number asked not to be called. */
  isRefused?: boolean;
  /** Who is calling, or talked last, is not known yet. */
  isPartial?: boolean;
}

/** A number in a text of the request; UTF-16 units. `content.dial` repeats its `source`. */
export interface FoundNumber {
  start: number;
  end: number;
  source: NumberInText;
  number: JudgedNumber;
}
