/**
 * Reads a request to `/call` as strictly as a service may (sections 2.1, 4.1 and 5): every field is checked, nothing is guessed,
 * and a refusal says which field, what was expected and what came.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { describeProblem, fieldMapProblems, parseFieldMap, parsePairs } from './field-map.ts';
import { ownFields } from './notification.ts';
import {
  apiVersions,
  CalleeDigits,
  CallerCode,
  CallerId,
  type CallRequestWithEvents,
  notifiedEvents,
  TimeoutSeconds,
  type TokenPlace,
} from './request.ts';

/** A request longer than this is no call. */
export const maxCallBytes = 64 * 1024;

export interface ReceivedCall {
  method: string;
  headers: IncomingHttpHeaders;
  query: URLSearchParams;
  /** Undefined where the request had none. */
  body: string | undefined;
}

export interface FieldProblem {
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

type ReadCall =
  | { ok: true; request: CallRequestWithEvents; tokenPlace: TokenPlace }
  | { ok: false; refusal: RequestRefusal; tokenPlace?: TokenPlace; fields: Record<string, unknown> };

/**
 * @param isToken compares in constant time.
 * @param ownRules in place of the interface's, where this service demands more.
 */
export function readCall(
  received: ReceivedCall,
  isToken: (value: string) => boolean,
  ownRules: Partial<typeof rules> = {},
): ReadCall {
  const taken = takeFields(received);
  if (!taken.ok) return { ok: false, refusal: taken.refusal, fields: {} };
  const { token: bodyToken, ...fields } = taken.fields;
  const refuse = (refusal: RequestRefusal, tokenPlace?: TokenPlace): ReadCall => ({
    ok: false,
    refusal,
    fields,
    ...(tokenPlace === undefined ? {} : { tokenPlace }),
  });

  const tokens = sentTokens(received, bodyToken);
  const [first] = tokens;
  if (first === undefined)
    return refuse({
      status: 401,
      code: 'missing-token',
      message:
        'token: expected it as header "Authorization: Bearer <token>", as JSON body key "token" or as query parameter "token", got none',
      errors: [{ field: 'token', expected: 'a service token', got: 'nothing' }],
    });
  if (tokens.length > 1)
    return refuse(
      fieldRefusal([
        {
          field: 'token',
          expected: 'one way of sending it, since which of several wins is not defined',
          got: tokens.map(({ place }) => place).join(' and '),
        },
      ]),
      first.place,
    );
  if (typeof first.value !== 'string' || !isToken(first.value))
    return refuse(
      {
        status: 401,
        code: 'wrong-token',
        message: `token: the one sent in the ${first.place} is not this service's token`,
        errors: [{ field: 'token', expected: "this service's token", got: `another, in the ${first.place}` }],
      },
      first.place,
    );

  const problems = [
    ...fieldProblems(fields, received.method === 'GET', { ...rules, ...ownRules }),
    ...hiddenOwnFields(fields),
  ];
  if (problems.length > 0) return refuse(fieldRefusal(problems), first.place);
  const { to, timeout, ...rest } = fields;
  const request = {
    ...rest,
    to: String(to),
    ...(timeout === undefined ? {} : { timeout: Number(timeout) }),
  } as CallRequestWithEvents;
  return { ok: true, request, tokenPlace: first.place };
}

type Taken = { ok: true; fields: Record<string, unknown> } | { ok: false; refusal: RequestRefusal };

/** GET: the query. POST: the JSON body; its query may carry the token and nothing else. */
function takeFields({ method, headers, query, body }: ReceivedCall): Taken {
  const names = [...query.keys()];
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length > 0)
    return {
      ok: false,
      refusal: fieldRefusal(
        twice.map((field) => ({ field, expected: 'once in the query', got: 'several times' })),
      ),
    };
  if (method === 'GET') {
    const { token: _, ...fields } = Object.fromEntries(query);
    return { ok: true, fields };
  }
  const misplaced = names.filter((name) => name !== 'token');
  if (misplaced.length > 0)
    return {
      ok: false,
      refusal: fieldRefusal(
        misplaced.map((field) => ({ field, expected: 'in the JSON body of a POST', got: 'in the query' })),
      ),
    };
  const type = headers['content-type'];
  if (type?.split(';')[0]?.trim().toLowerCase() !== 'application/json')
    return {
      ok: false,
      refusal: {
        ...fieldRefusal([
          {
            field: 'content-type',
            expected: 'application/json',
            got: type === undefined ? 'nothing' : show(type),
          },
        ]),
        status: 415,
      },
    };
  const notObject = (got: string): Taken => ({
    ok: false,
    refusal: fieldRefusal([{ field: 'body', expected: 'a JSON object', got }]),
  });
  try {
    const parsed: unknown = JSON.parse(body ?? '');
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
      return notObject(show(parsed));
    return { ok: true, fields: parsed as Record<string, unknown> };
  } catch {
    return notObject(body === undefined || body === '' ? 'nothing' : 'text that is not JSON');
  }
}

function sentTokens(received: ReceivedCall, bodyToken: unknown): { place: TokenPlace; value: unknown }[] {
  const { authorization } = received.headers;
  const inQuery = received.query.get('token');
  return [
    ...(authorization === undefined
      ? []
      : [{ place: 'header' as const, value: /^Bearer (\S+)$/.exec(authorization)?.[1] }]),
    ...(bodyToken === undefined ? [] : [{ place: 'body' as const, value: bodyToken }]),
    ...(inQuery === null ? [] : [{ place: 'query' as const, value: inQuery }]),
  ];
}

interface FieldRule {
  required?: true;
  expected: string;
  accepts(value: unknown, fromQuery: boolean): boolean;
}

const integer = /^\d{1,9}$/;

const rules: Record<keyof CallRequestWithEvents, FieldRule> = {
  from: {
    required: true,
    expected: 'a string: code of an agent or extension',
    accepts: (value) => CallerCode.safeParse(value).success,
  },
  to: {
    required: true,
    expected: 'a string of 1 to 32 digits',
    // "the request shape also writes it as a number" (section 2.1)
    accepts: (value) =>
      CalleeDigits.safeParse(typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value)
        .success,
  },
  timeout: {
    expected: 'an integer, seconds from 1 to 600',
    accepts: (value, fromQuery) =>
      TimeoutSeconds.safeParse(
        fromQuery && typeof value === 'string' && integer.test(value) ? Number(value) : value,
      ).success,
  },
  force_from: { expected: '"yes" or "no"', accepts: (value) => value === 'yes' || value === 'no' },
  returnurl: {
    expected: 'an address that starts with http:// or https://',
    accepts: (value) =>
      typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
  },
  callerid: {
    expected: 'a string of digits, with or without a leading +',
    accepts: (value) => CallerId.safeParse(value).success,
  },
  map: {
    expected: 'pairs like callid:external_id, separated by commas',
    accepts: (value) => mapProblem(value) === undefined,
  },
  version: {
    expected: '"v1" or "v2"',
    accepts: (value) => (apiVersions as readonly unknown[]).includes(value),
  },
  events: {
    expected: notifiedEvents.map((value) => `"${value}"`).join(' or '),
    accepts: (value) => (notifiedEvents as readonly unknown[]).includes(value),
  },
};

function fieldProblems(
  fields: Readonly<Record<string, unknown>>,
  fromQuery: boolean,
  rules: Record<string, FieldRule>,
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  for (const [field, rule] of Object.entries(rules)) {
    const value = fields[field];
    if (value === undefined) {
      if (rule.required) problems.push({ field, expected: rule.expected, got: 'nothing' });
    } else if (!rule.accepts(value, fromQuery)) {
      const why = field === 'map' ? mapProblem(value) : undefined;
      problems.push({ field, expected: rule.expected, got: why ? `${show(value)} (${why})` : show(value) });
    }
  }
  for (const field of Object.keys(fields).filter((name) => !Object.hasOwn(rules, name)))
    problems.push({
      field,
      expected: `no field but ${['token', ...Object.keys(rules)].join(', ')}`,
      got: show(fields[field]),
    });
  return problems;
}

/** A service of ours that is asked for all events sends fields of its own: a new name that is one of these would hide it. */
function hiddenOwnFields({ events, map }: Readonly<Record<string, unknown>>): FieldProblem[] {
  if (events !== 'all' || typeof map !== 'string') return [];
  return parsePairs(map)
    .pairs.filter(([, name]) => (ownFields as readonly string[]).includes(name))
    .map(([, name]) => ({
      field: 'map',
      expected: `no new name of ${ownFields.join(', ')}, which come with events "all"`,
      got: show(name),
    }));
}

function mapProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'not a string';
  const { pairs, problems } = parsePairs(value);
  const [first] = [...problems, ...fieldMapProblems(pairs)];
  if (first !== undefined) return describeProblem(first);
  return Object.keys(parseFieldMap(value)).length === 0 ? 'no pair in it' : undefined;
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

const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
};
