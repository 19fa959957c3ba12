/** Asks the background, from a page of ours, in the words of `messages.ts`. */
import browser from 'webextension-polyfill';
import type { z } from 'zod/mini';
import type {
  ChipCall,
  ConnectionTest,
  ErrorCode,
  HistoryPage,
  JudgedNumber,
  NumberOnPage,
  PanelState,
  pageMessages,
  RecordingCheck,
  Result,
  SettingsView,
} from '../../messages.ts';

interface Replies {
  'page.state': PanelState;
  'page.judge': JudgedNumber | null;
  'page.dial': ChipCall;
  'page.history': HistoryPage;
  'page.note': null;
  'page.forgetHistory': { kept: number };
  'page.settings': SettingsView;
  'page.saveSettings': SettingsView;
  'page.setSecret': SettingsView;
  'page.testConnection': ConnectionTest;
  'page.setSite': SettingsView;
  'page.scanTab': null;
  'page.numbersOnPage': NumberOnPage[];
  'page.checkRecording': RecordingCheck;
}
export type Question = keyof Replies & keyof typeof pageMessages;
export type Reply<Q extends Question> = Replies[Q];
export type Fields<Q extends Question> = Omit<z.infer<(typeof pageMessages)[Q]>, 'type'>;

/** Why a question got no answer. */
export interface Refusal {
  code: ErrorCode;
  detail?: string;
}

/** Milliseconds after which a silent background counts as broken. What goes out to servers has limits of its own. */
const patience = 15_000;
const longPatience = 60_000;
const slow: ReadonlySet<Question> = new Set(['page.testConnection', 'page.checkRecording', 'page.dial']);

/**
 * Never rejects and never hangs: a background that does not answer is an `internal` error like any other. One that was stopped over the
 * question is asked once more; every question may be, a call's click id makes it the same call.
 */
export async function ask<Q extends Question>(type: Q, fields: Fields<Q>): Promise<Result<Reply<Q>>> {
  const first = await askOnce(type, fields);
  return first.ok || first.error.code !== 'internal' ? first : askOnce(type, fields);
}

async function askOnce<Q extends Question>(type: Q, fields: Fields<Q>): Promise<Result<Reply<Q>>> {
  try {
    const reply: Result<Reply<Q>> | undefined = await Promise.race([
      browser.runtime.sendMessage({ type, ...fields }) as Promise<Result<Reply<Q>> | undefined>,
      silence(slow.has(type) ? longPatience : patience),
    ]);
    return reply ?? { ok: false, error: { code: 'internal' } };
  } catch (error) {
    return {
      ok: false,
      error: { code: 'internal', detail: error instanceof Error ? error.message : String(error) },
    };
  }
}

const silence = (milliseconds: number) =>
  new Promise<undefined>((resolve) => setTimeout(resolve, milliseconds, undefined));
