/** Fields that messages of content scripts and of our own pages share. */
import { z } from 'zod/mini';
import { maxHostLength } from '../parse-site.ts';

/** The most characters of what a person types into a field for numbers, names or a search. */
export const maxTypedCharacters = 200;
export const shortText = z.string().check(z.maxLength(maxTypedCharacters));
/** The most characters of a note that is kept in this browser alone. */
export const maxOwnNoteCharacters = 2000;
/** The host of a site or frame. */
export const hostName = z.string().check(z.maxLength(maxHostLength));
/** The most characters of a name that the relay accepts. */
const maxName = 200;
/**
 * The name of the person or organisation that a number reaches, cut to `maxName`. Names from a page or the directory
 * may be longer.
 */
export const calleeName = z.string().check(z.overwrite((name) => name.slice(0, maxName)));
/** The most numbers in the list of a page. */
export const maxListedNumbers = 200;
/** The addresses of the links in a number's row. One of them may be the address of the row's record. */
export const rowLinks = z.array(z.string().check(z.maxLength(2000))).check(z.maxLength(20));
/** A random id of each click. If a message arrives twice, the same id makes it one call. */
export const clickId = z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/));

/** Gives a message the type of its reply, for the compiler only. The value is always undefined. */
export const replyOf = <T>() => undefined as T;
