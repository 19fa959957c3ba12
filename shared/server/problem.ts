/**
 * Errors as our servers send them: RFC 9457 problem documents, or the form that the server's own interface asks for.
 */
import { STATUS_CODES } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Problem } from '../protocol/messages.ts';

const problemType = 'application/problem+json; charset=utf-8';

/** code -> HTTP status and title. */
export type ProblemTable = Readonly<Record<string, readonly [status: number, title: string]>>;

/** The problems that every server can reply with. Each server adds its own. */
export const commonProblems = {
  badRequest: [400, 'The request is not understood'],
  invalidFields: [400, 'Some fields are wrong'],
  notFound: [404, 'There is nothing here'],
  bodyTooLarge: [413, 'The body is too large'],
  addressTooLong: [414, 'The address is too long'],
  notJson: [415, 'The body must be JSON'],
  tooManyRequests: [429, 'Too many requests'],
  internal: [500, 'Something went wrong in the server'],
} as const satisfies ProblemTable;

export interface ProblemDetails
  extends Pick<
    Problem,
    'detail' | 'errors' | 'callers' | 'call' | 'outcomes' | 'doNotCall' | 'lease' | 'removeNotes'
  > {
  /** The value of the Retry-After header. */
  retryAfterSeconds?: number;
}

/**
 * An error that any part of a route may throw. The error handler sends it as the reply. `message` is for people and
 * holds nothing secret.
 */
export abstract class HttpError extends Error {
  abstract readonly status: number;
  abstract send(reply: FastifyReply): FastifyReply;
}

export class HttpProblem extends HttpError {
  readonly status: number;
  private readonly title: string;

  /** @param table where `code` is defined. */
  constructor(
    readonly code: string,
    table: ProblemTable,
    private readonly details: ProblemDetails = {},
  ) {
    const [status, title] = table[code]!;
    super(details.detail ?? title);
    this.status = status;
    this.title = title;
  }

  get retryAfterSeconds(): number | undefined {
    return this.details.retryAfterSeconds;
  }

  send(reply: FastifyReply): FastifyReply {
    const { retryAfterSeconds, ...members } = this.details;
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
    if (this.status === 401) reply.header('www-authenticate', 'Bearer realm="dialmark"');
    if (this.status === 413) reply.header('connection', 'close');
    const body: Problem = {
      type: problemUrn(this.code),
      title: this.title,
      status: this.status,
      code: this.code,
      instance: reply.request.id,
      ...members,
    };
    return reply
      .code(this.status)
      .header('cache-control', 'no-store')
      .type(problemType)
      .send(JSON.stringify(body));
  }
}

export function commonProblem(code: keyof typeof commonProblems, details?: ProblemDetails): HttpProblem {
  return new HttpProblem(code, commonProblems, details);
}

/**
 * The whole reply to a request that is not even HTTP. It repeats nothing of the request, which may hold a credential.
 */
export function rawProblemResponse(status: number, title: string): string {
  const body = JSON.stringify({ type: problemUrn('badRequest'), title, status, code: 'badRequest' });
  const head = `content-type: ${problemType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close`;
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n\r\n${body}`;
}

const problemUrn = (code: string) => `urn:dialmark:problem:${code}`;
