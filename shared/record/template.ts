/**
 * Templates: what a record's address looks like in a CRM. A template turns an address into a record, and a record into
 * its address. Nothing else does, so an address of another host, or of another kind of page, is never a record.
 */
import { z } from 'zod/mini';
import type { LinkedRecord } from './call-parts.ts';

/**
 * What a call is about in a CRM. `system` names the CRM among the operator's CRMs, `kind` is the CRM's own word for the
 * kind of record (`ticket`, `crm.lead`), `id` is the record's number or key in the CRM.
 */
export const RecordKey = z.strictObject({
  system: z.string().check(z.regex(/^[a-z][a-z0-9_-]{0,31}$/, 'expected the system of a template')),
  kind: z.string().check(z.regex(/^[\w.-]{1,64}$/, 'expected the kind of a template')),
  id: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, 'expected the id of a record')),
});
export type RecordKey = z.infer<typeof RecordKey>;

/** Only the key of a record. Requests do not accept other fields of it, such as its address. */
export const recordKeyOf = ({ system, kind, id }: RecordKey): RecordKey => ({ system, kind, id });

/** `{id}`: a whole number from 1. `{key}`: letters, digits, `_` and `-`, as in Salesforce or Dynamics. */
const placeholder = /\{(id|key)\}/;
const placeholders = /\{(?:id|key)\}/g;

const TemplateOrigin = z
  .string()
  .check(
    z.refine(
      (value) => URL.canParse(value) && new URL(value).origin === value,
      'expected an origin without a path, for example https://crm.example',
    ),
  );

/**
 * Path, query and fragment with one placeholder: `/issues/{id}`, `/Ticket/Display.html?id={id}`,
 * `/web#id={id}&model=crm.lead`.
 */
const Pattern = z
  .string()
  .check(
    z.refine(
      (value) =>
        value.startsWith('/') &&
        value.match(placeholders)?.length === 1 &&
        !/[{}]/.test(value.replace(placeholders, '')),
      'expected a path from / with {id} or {key} in it once',
    ),
  );

export const RecordTemplate = z.strictObject({
  system: RecordKey.shape.system,
  origin: TemplateOrigin,
  pattern: Pattern,
  kind: RecordKey.shape.kind,
});
export type RecordTemplate = z.infer<typeof RecordTemplate>;

/**
 * The record that an address shows; undefined where no template fits.
 * @param address as the browser reports it. Its path must fit the pattern. Other parts that the pattern does not have
 * may be anything.
 */
export function recordAt(address: string, templates: readonly RecordTemplate[]): RecordKey | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  for (const { system, origin, pattern, kind } of templates) {
    if (url.origin !== origin) continue;
    const id = idIn(url, pattern);
    if (id !== undefined) return { system, kind, id };
  }
  return undefined;
}

/** The record with its address; undefined where no template has its system and kind, or its id does not fit there. */
export function linkedRecord(
  record: RecordKey,
  templates: readonly RecordTemplate[],
): LinkedRecord | undefined {
  const { system, kind, id } = record;
  for (const template of templates) {
    if (template.system !== system || template.kind !== kind) continue;
    const url = template.origin + template.pattern.replace(placeholder, () => id);
    // Read back: an id of another form would link to another page.
    if (recordAt(url, [template])?.id === id) return { system, kind, id, url };
  }
  return undefined;
}

/** Splits by hand: the URL parser would escape the braces of a placeholder. */
function patternParts(pattern: string) {
  const [, path = '', query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(pattern) ?? [];
  return { path, query, fragment };
}

function idIn(url: URL, pattern: string): string | undefined {
  const { path, query, fragment } = patternParts(pattern);
  const found: string[] = [];
  const take = (written: string, shape: string) => {
    const id = readPart(written, shape);
    if (id) found.push(id);
    return id !== undefined;
  };
  const fits =
    take(url.pathname, path) &&
    everyParameter(query, new URLSearchParams(url.search), take) &&
    takeFragment(fragment, url.hash.slice(1), take);
  return fits ? found[0] : undefined;
}

type Take = (written: string, shape: string) => boolean;

/** Whether each parameter of the pattern is in the address exactly once, with a value that fits. */
function everyParameter(shape: string, written: URLSearchParams, take: Take): boolean {
  return [...new URLSearchParams(shape)].every(([name, value]) => {
    const values = written.getAll(name);
    return values.length === 1 && take(values[0]!, value);
  });
}

/** A fragment with `=` is a list of parameters (Odoo 14), any other a path (Tryton). */
function takeFragment(shape: string, written: string, take: Take): boolean {
  if (shape === '') return true;
  if (shape.includes('=')) return everyParameter(shape, new URLSearchParams(written), take);
  return take(written.replace(/[?;].*$/, ''), shape);
}

/** The id in `written`, `''` where the shape has no placeholder, undefined where the two differ. */
function readPart(written: string, shape: string): string | undefined {
  const [before, name, after] = shape.split(placeholder);
  if (name === undefined) return written === shape ? '' : undefined;
  if (!written.startsWith(before!) || !written.endsWith(after!)) return undefined;
  const id = written.slice(before!.length, written.length - after!.length);
  return (name === 'id' ? isWholeNumber(id) : /^[A-Za-z0-9_-]{1,64}$/.test(id)) ? id : undefined;
}

/** Only one way to write each number, and no number that JavaScript or a CRM would round. */
const isWholeNumber = (id: string) => /^[1-9]\d{0,15}$/.test(id) && Number.isSafeInteger(Number(id));
