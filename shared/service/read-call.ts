/**
 * Reads a request to `/call` strictly (sections 2.1, 4.1 and 5): it checks every field and guesses nothing. A refusal
 * says which field, what was expected and what came.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod/mini';
import { describeProblem, fieldMapProblems, parsePairs } from './field-map.ts';
import { isObject, isTooDeep, maxJsonDepth, parseJson } from './json.ts';
import { ownFields } from './notification.ts';
import {
  apiVersions,
  CallRequest,
  type CallRequestWithEvents,
  notifiedEvents,
  type TokenPlace,
} from './request.ts';

/** The most bytes of a request for a call. */
export const maxCallBytes = 64 * 1024;

export interface ReceivedCall {
  method: string;
  headers: IncomingHttpHeaders;
  query: URLSearchParams;
  /** Undefined where the request had none. */
  body: string | undefined;
}

interface FieldProblem {
  field: string;
  expected: string;
  got: string;
}

export interface RequestRefusal {
  status: number;
  code: string;
  message: string;
  errors: FieldProblem[];
}

type ReadCall = { fields: Record<string, unknown>; tokenPlace?: TokenPlace } & (
  | { ok: true; request: CallRequestWithEvents }
  | { ok: false; refusal: RequestRefusal }
);

/**
 * @param isToken compares in constant time.
 * @param ownRules in place of the interface's, where this service demands more.
 * @returns the request, or why it is refused, with the fields and the place of the token as far as they were read.
 */
export function readCall(
  received: ReceivedCall,
  isToken: (value: string) => boolean,
  ownRules: Partial<typeof rules> = {},
): ReadCall {
  const misplaced = misplacedFields(received);
  if (misplaced.length > 0) return { ok: false, fields: {}, refusal: fieldRefusal(misplaced) };
  const sent = received.method === 'GET' ? fieldsOfQuery(received.query) : fieldsOfBody(received);
  if ('refusal' in sent) return { ok: false, fields: {}, refusal: sent.refusal };
  const { token: bodyToken, ...fields } = sent.fields;

  const tokens = sentTokens(received, received.method === 'GET' ? undefined : bodyToken);
  const tokenPlace = tokens[0]?.place;
  const read = { fields, ...(tokenPlace && { tokenPlace }) };
  const tokenRefusal = refusalOfTokens(tokens, isToken);
  if (tokenRefusal) return { ...read, ok: false, refusal: tokenRefusal };

  const problems = [...fieldProblems(fields, { ...rules, ...ownRules }), ...hiddenOwnFields(fields)];
  if (problems.length > 0) return { ...read, ok: false, refusal: fieldRefusal(problems) };
  return { ...read, ok: true, request: fields as CallRequestWithEvents };
}

/** Fields in the query that come twice, or beside the body of a POST, whose query may carry the token alone. */
function misplacedFields({ method, query }: ReceivedCall): FieldProblem[] {
  const names = [...query.keys()];
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length > 0)
    return twice.map((field) => ({ field, expected: 'once in the query', got: 'several times' }));
  if (method === 'GET') return [];
  return names
    .filter((name) => name !== 'token')
    .map((field) => ({ field, expected: 'in the JSON body of a POST', got: 'in the query' }));
}

type SentFields = { fields: Record<string, unknown> } | { refusal: RequestRefusal };

/** The values of a query are texts, so `timeout` is made a number here. */
function fieldsOfQuery(query: URLSearchParams): SentFields {
  const { timeout, ...fields } = Object.fromEntries(query);
  if (timeout === undefined) return { fields };
  return { fields: { ...fields, timeout: /^\d{1,9}$/.test(timeout) ? Number(timeout) : timeout } };
}

function fieldsOfBody({ headers, body }: ReceivedCall): SentFields {
  const type = headers['content-type'];
  if (type?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    const got = type === undefined ? 'nothing' : printed(type);
    const refusal = fieldRefusal([{ field: 'content-type', expected: 'application/json', got }]);
    return { refusal: { ...refusal, status: 415 } };
  }
  const parsed = parseJson(body ?? '');
  if (isTooDeep(parsed)) {
    const got = `one nested deeper than ${maxJsonDepth} levels`;
    return { refusal: fieldRefusal([{ field: 'body', expected: 'a JSON object', got }]) };
  }
  if (!isObject(parsed)) {
    const unreadable = body === undefined || body === '' ? 'nothing' : 'text that is not JSON';
    const got = parsed === undefined ? unreadable : printed(parsed);
    return { refusal: fieldRefusal([{ field: 'body', expected: 'a JSON object', got }]) };
  }
  // "the request shape also writes it as a number" (section 2.1)
  return { fields: Number.isSafeInteger(parsed.to) ? { ...parsed, to: String(parsed.to) } : parsed };
}

interface SentToken {
  place: TokenPlace;
  value: unknown;
}

function sentTokens({ headers, query }: ReceivedCall, inBody: unknown): SentToken[] {
  const { authorization } = headers;
  const tokens: { place: TokenPlace; value: unknown; isSent: boolean }[] = [
    {
      place: 'header',
      value: authorization && /^Bearer +(\S+)$/i.exec(authorization)?.[1],
      isSent: authorization !== undefined,
    },
    { place: 'body', value: inBody, isSent: inBody !== undefined },
    { place: 'query', value: query.get('token'), isSent: query.has('token') },
  ];
  return tokens.filter(({ isSent }) => isSent);
}

const tokenForms =
  'header "Authorization: Bearer <token>", as JSON body key "token" or as query parameter "token"';

function refusalOfTokens(
  tokens: readonly SentToken[],
  isToken: (value: string) => boolean,
): RequestRefusal | undefined {
  const [first] = tokens;
  if (first === undefined)
    return {
      status: 401,
      code: 'missing-token',
      message: `token: expected it as ${tokenForms}, got none`,
      errors: [{ field: 'token', expected: 'a service token', got: 'nothing' }],
    };
  if (tokens.length > 1)
    return fieldRefusal([
      {
        field: 'token',
        expected: 'one way of sending it, since which of several wins is not defined',
        got: tokens.map(({ place }) => place).join(' and '),
      },
    ]);
  if (typeof first.value === 'string' && isToken(first.value)) return undefined;
  return {
    status: 401,
    code: 'wrong-token',
    message: `token: the one sent in the ${first.place} is not this service's token`,
    errors: [{ field: 'token', expected: "this service's token", got: `another, in the ${first.place}` }],
  };
}

interface FieldRule {
  required?: true;
  expected: string;
  accepts(value: unknown): boolean;
}

const fits = (schema: z.ZodMiniType) => (value: unknown) => schema.safeParse(value).success;
const either = (values: readonly string[]) => values.map((value) => `"${value}"`).join(' or ');
const { shape } = CallRequest;

const rules: Record<keyof CallRequestWithEvents, FieldRule> = {
  from: { required: true, expected: 'a string: code of an agent or extension', accepts: fits(shape.from) },
  to: { required: true, expected: 'a string of 1 to 32 digits', accepts: fits(shape.to) },
  timeout: { expected: 'an integer, seconds from 1 to 600', accepts: fits(shape.timeout) },
  force_from: { expected: '"yes" or "no"', accepts: fits(shape.force_from) },
  returnurl: {
    expected: 'an address that starts with http:// or https://',
    accepts: fits(shape.returnurl),
  },
  callerid: { expected: 'a string of digits, with or without a leading +', accepts: fits(shape.callerid) },
  map: {
    expected: 'pairs like callid:external_id, separated by commas',
    accepts: (value) => mapProblem(value) === undefined,
  },
  version: { expected: either(apiVersions), accepts: fits(shape.version) },
  events: { expected: either(notifiedEvents), accepts: fits(z.enum(notifiedEvents)) },
};

function fieldProblems(
  fields: Readonly<Record<string, unknown>>,
  rules: Record<string, FieldRule>,
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  for (const [field, rule] of Object.entries(rules)) {
    const value = fields[field];
    if (value === undefined) {
      if (rule.required) problems.push({ field, expected: rule.expected, got: 'nothing' });
    } else if (!rule.accepts(value)) {
      const why = field === 'map' ? mapProblem(value) : undefined;
      problems.push({
        field,
        expected: rule.expected,
        got: why ? `${printed(value)} (${why})` : printed(value),
      });
    }
  }
  for (const field of Object.keys(fields).filter((name) => !Object.hasOwn(rules, name)))
    problems.push({
      field,
      expected: `no field but ${['token', ...Object.keys(rules)].join(', ')}`,
      got: printed(fields[field]),
    });
  return problems;
}

/** With all events, a notification has fields of our own. A new name in `map` must not hide one of these fields. */
function hiddenOwnFields({ events, map }: Readonly<Record<string, unknown>>): FieldProblem[] {
  if (events !== 'all' || typeof map !== 'string') return [];
  return parsePairs(map)
    .pairs.filter(([, name]) => (ownFields as readonly string[]).includes(name))
    .map(([, name]) => ({
      field: 'map',
      expected: `no new name of ${ownFields.join(', ')}, which come with events "all"`,
      got: printed(name),
    }));
}

function mapProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'not a string';
  const { pairs, problems } = parsePairs(value);
  const [first] = [...problems, ...fieldMapProblems(pairs)];
  if (first !== undefined) return describeProblem(first);
  return pairs.length === 0 ? 'no pair in it' : undefined;
}

export const refusal = (status: number, code: string, message: string): RequestRefusal => ({
  status,
  code,
  message,
  errors: [],
});

export function fieldRefusal(errors: FieldProblem[]): RequestRefusal {
  return {
    status: 400,
    code: 'invalid-request',
    message: errors
      .map(({ field, expected, got }) => `${field}: expected ${expected}, got ${got}`)
      .join('; '),
    errors,
  };
}

const printed = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
};
