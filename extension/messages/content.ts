/**
 * The messages between content scripts and the background. The background parses each request and checks its sender;
 * a content script is as untrusted as its page (Law 3).
 */
import { z } from 'zod/mini';
import { NumberInText } from '../../shared/numbers/number-in-text.ts';
import { RecordKey } from '../../shared/record/template.ts';
import { calleeName, clickId, replyOf, rowLinks, shortText } from './fields.ts';
import { type ChipCall, type JudgedNumber, ShownNumber, type ShownRecord } from './views.ts';

/** Requests of content scripts. A reply holds only what the page may know. */
export const contentMessages = {
  /**
   * Finds the numbers in texts around digits, each text by itself. The reply has one entry per text, in order. Each
   * entry is sorted by `start`, without overlaps. `labels` has, for each text, the words that name it in another box.
   * They are a column's head, a label, the line of a table's heads, or empty.
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
   * Reports a trusted click on a marked number or a tel: link. `shown` has the display and the digits that the agent
   * saw. The background judges `source` again, and refuses the call if none of its readings is `shown`.
   */
  'content.dial': {
    request: z.object({
      click: clickId,
      /** The number as the background found it, or a link's telephone address. */
      source: NumberInText,
      links: z.optional(rowLinks),
      /** Lines that may name whom the number reaches, the likeliest first. */
      name: z.optional(calleeName),
      shown: ShownNumber,
      /**
       * The record that the tip showed, as `content.record` returned it, or the record of the question that was
       * confirmed. It is absent if the tip did not show a record yet.
       */
      record: z.optional(z.nullable(RecordKey)),
      /** Set after the agent said yes in our own confirm card (closed shadow root, trusted click). */
      confirmed: z.optional(z.boolean()),
      /** Asks on our own page instead of in this page, since the agent may not have seen the number. */
      isAskedElsewhere: z.optional(z.boolean()),
    }),
    reply: replyOf<ChipCall>(),
  },
  /**
   * Returns what the team knows of a number, for the tip that shows it. A page asks only when its tip is open. A
   * partial reply has only the name, and a refusal that does not depend on calls. The tip then asks once more, with
   * `isNameShown`.
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
  /** Hangs up a call that this same frame placed, if its `canHangUp` is set. */
  'content.hangUp': { request: z.object({ id: clickId }), reply: replyOf<null>() },
  /** Opens the panel, in which the agent records how a call went. The router opens it, inside the click. */
  'content.openPanel': { request: z.object({}), reply: replyOf<null>() },
  /**
   * Judges the telephone address of a link under the pointer. `content.dial` repeats this `source` later. The reply is
   * null if the address has no number, or a number that is excluded on this site.
   */
  'content.judgeLink': {
    request: z.object({ source: NumberInText }),
    reply: replyOf<JudgedNumber | null>(),
  },
  /** Reports the marked number under the mouse, for the context menu. Without a number, the pointer has left it. */
  'content.pointAt': {
    request: z.object({ number: z.optional(shortText), source: z.optional(NumberInText) }),
    reply: replyOf<null>(),
  },
  /** Reports that this frame shows more or fewer numbers than before. */
  'content.numbersChanged': { request: z.object({}), reply: replyOf<null>() },
  /** Reads the settings of a content script. They hold no secret and no history. */
  'content.hello': { request: z.object({}), reply: replyOf<ContentSettings>() },
} as const;

export type ContentMessage = keyof typeof contentMessages;
/** The fields of a request. The sender adds its `type`. */
export type ContentRequest<M extends ContentMessage> = z.infer<(typeof contentMessages)[M]['request']>;
export type ContentReply<M extends ContentMessage> = (typeof contentMessages)[M]['reply'];

/** What the background sends to content scripts (`tabs.sendMessage`). */
export type ToContent =
  /**
   * Moves the focus to the next number in this frame -> whether it moved. `isEntered`: starts at the frame's edge, not
   * at the focused number. If it is undefined and there is no next number, the search goes on from the edge.
   */
  | { type: 'background.step'; to: 'next' | 'previous'; isEntered?: boolean }
  | { type: 'background.dialFocused' }
  | { type: 'background.settings'; settings: ContentSettings }
  /** State of the call that this tab placed: only what the chip shows. */
  | { type: 'background.call'; call: ChipCall }
  | { type: 'background.ping' } // any script of ours that runs there answers, with nothing
  | { type: 'background.list' } // -> NumberInList[] of this frame
  | { type: 'background.stop' }; // disabled, blocked or removed: undo everything

export interface ContentSettings {
  underline: 'dotted' | 'solid' | 'none';
  /** The colour scheme of the overlay, as a value of CSS `color-scheme`. */
  colorScheme: 'light' | 'dark' | 'light dark';
  /** How long `style` hides a new tip. The tip counts as seen only after that delay. */
  tipDelayMs: number;
  /** Every text that the content script shows, in the agent's language. The script itself has no message files. */
  texts: Record<string, string>;
  /** Whether the tip has a line for records and names. A relay may know them. */
  hasTeamLine: boolean;
  /** Whether the Tab key gets a stop that leads to the numbers, since no keyboard shortcut does. */
  offersSkipLink: boolean;
  /** The direction of that language's script. */
  direction: 'ltr' | 'rtl';
}

/** One line of the tip. */
export interface TipFacts {
  /** "Ana Prado, Acme · Marta is calling this number."; empty if the team knows nothing of the number. */
  words: string;
  /** The person who has the number asked not to be called. */
  isRefused?: boolean;
  /** Set if it is not known yet who is calling, or talked last. */
  isPartial?: boolean;
}

/** A number in a text of the request. `start` and `end` count UTF-16 units. `content.dial` repeats its `source`. */
export interface FoundNumber {
  start: number;
  end: number;
  source: NumberInText;
  number: JudgedNumber;
}
