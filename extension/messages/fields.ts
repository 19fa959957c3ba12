/** Fields that messages of content scripts and of our own pages share. */
import { z } from 'zod/mini';

export const shortText = z.string().check(z.maxLength(200));
/** Random per click: makes a message that is delivered twice one call. */
export const clickId = z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/));

/** The type of a reply, for the compiler alone: there is no value. */
export const replyOf = <T>() => undefined as T;
