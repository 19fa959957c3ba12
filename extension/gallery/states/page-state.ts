/** What a state of a page is. */
import type { PageMessage, PageReply } from '../../messages/pages.ts';
import type { Result } from '../../messages/result.ts';
import { languages } from '../../text.ts';

export const pages = ['options', 'popup', 'call', 'welcome', 'registration', 'privacy'] as const;
export const themes = ['light', 'dark'] as const;
export type Replies = { [M in PageMessage]?: Result<PageReply<M>> };

export interface PageState {
  page: (typeof pages)[number];
  name: string;
  /** The replies that differ from those of a page that has everything (`repliesIn`). */
  replies?(): Replies;
  /** Requests without a reply. */
  pending?: readonly PageMessage[];
  /** Further parameters of the page's address. */
  query?: Record<string, string>;
  /** Whether the browser grants host permissions; yes by default. */
  hasPermission?: boolean;
  /** Fields to fill and, where there is no value, elements to click, in order. */
  steps?: readonly { selector: string; value?: string }[];
  loginReply?: { status: number; body: unknown } | 'unreachable';
}

export const address = new URLSearchParams(globalThis.location?.search ?? '');
export const appearance = {
  theme: themes.find((theme) => theme === address.get('theme')) ?? 'auto',
  language: languages.find((language) => language === address.get('lang')) ?? '',
} as const;

/** A state, without its page. */
export type OwnState = Omit<PageState, 'page'>;
