/**
 * Every sentence that a person reads, from `_locales`. The browser's own `i18n.getMessage` knows only the browser's
 * language, and an agent may choose another. So the three small files are part of the bundle, and texts are looked up
 * here.
 */
import en from './_locales/en/messages.json';
import es from './_locales/es/messages.json';
import ptBR from './_locales/pt_BR/messages.json';

export type TextKey = keyof typeof en;
export type Language = 'en' | 'pt_BR' | 'es';
type Messages = Readonly<Record<string, { message: string }>>;

const messages: Record<Language, Messages> = { en, pt_BR: ptBR, es };
export const languages = Object.keys(messages) as Language[];

let current: Language = browserLanguage();

/** Chooses the language of every text from now on. Empty: the browser's. */
export function chooseLanguage(language: Language | ''): void {
  current = language === '' ? browserLanguage() : language;
}

/** BCP 47 tag of the language in use, for `lang` attributes and Intl. */
export function languageTag(): string {
  return current.replace('_', '-');
}

/**
 * The same tag, but with the browser's region if the browser has this language. English, for example, has two ways to
 * write a time.
 */
export function localeTag(): string {
  const tag = browserTag();
  return tag.slice(0, 2).toLowerCase() === current.slice(0, 2) ? tag : languageTag();
}

export function textDirection(): 'ltr' | 'rtl' {
  return new Set(['ar', 'fa', 'he', 'ur']).has(languageTag().slice(0, 2)) ? 'rtl' : 'ltr';
}

/** The text of this key with `$1` … `$9` replaced by the arguments in order. */
export function text(key: TextKey, ...args: (string | number)[]): string {
  const message = messages[current][key]?.message ?? messages.en[key]?.message ?? key;
  return message.replace(/\$([1-9])/g, (_, index: string) => String(args[Number(index) - 1] ?? ''));
}

/** A country's name, in the language in use. */
export function countryName(code: string): string {
  return new Intl.DisplayNames(languageTag(), { type: 'region' }).of(code) ?? code;
}

/** `1105, 1106 or 1107`, in the language in use. */
export function eitherOf(words: readonly string[]): string {
  return new Intl.ListFormat(languageTag(), { type: 'disjunction' }).format(words);
}

/** Whether there is a text with this key. A key may contain a code that is newer than this build. */
export function isTextKey(key: string): key is TextKey {
  return Object.hasOwn(en, key);
}

/** Every text whose key starts with the prefix, in the language in use. Content scripts receive these texts. */
export function textsStartingWith(prefix: string): Record<string, string> {
  const keys = (Object.keys(en) as TextKey[]).filter((key) => key.startsWith(prefix));
  return Object.fromEntries(keys.map((key) => [key, messages[current][key]?.message ?? '']));
}

function browserTag(): string {
  return globalThis.chrome?.i18n?.getUILanguage?.() ?? globalThis.navigator?.language ?? 'en';
}

function browserLanguage(): Language {
  const primary = browserTag().slice(0, 2).toLowerCase();
  if (primary === 'pt') return 'pt_BR';
  return primary === 'es' ? 'es' : 'en';
}
