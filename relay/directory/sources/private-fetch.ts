/**
 * Requests to a source: only to the origin that the operator named, with name and password; redirects are not followed.
 * The body is read as it comes, up to a limit.
 */
import { Agent, request } from 'undici';
import { SourceError } from './source.ts';

const connectTimeoutMs = 10_000;
/** The longest wait for the next part of a reply. A large address book takes long before its first part. */
const idleTimeoutMs = 60_000;
/** 100,000 entries with photos would be larger. But we do not ask for photos. */
const maxBodyBytes = 512 * 1024 * 1024;

interface PrivateRequest {
  url: string;
  method: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  user?: string | undefined;
  token?: string | undefined;
  signal: AbortSignal;
}

interface PrivateReply {
  status: number;
  /** The body of the reply. The connection is closed when the body ends. */
  text: AsyncGenerator<string, void>;
  /** Ends the connection of an answer whose text is not read. */
  close(): Promise<void>;
}

const problems: Readonly<Record<number, string>> = {
  401: 'it does not accept _USER or _TOKEN',
  403: 'this user has no right there',
  404: 'there is nothing at _URL',
};

/** @throws SourceError unless the answer is 2xx or one of `expected`. */
export async function privateFetch(
  { url, user, token, headers, ...rest }: PrivateRequest,
  expected: readonly number[] = [],
): Promise<PrivateReply> {
  const agent = new Agent({ connect: { timeout: connectTimeoutMs }, pipelining: 1 });
  const authorization = `Basic ${Buffer.from(`${user ?? ''}:${token ?? ''}`).toString('base64')}`;
  const {
    statusCode,
    headers: replied,
    body,
  } = await request(url, {
    ...rest,
    method: rest.method as 'GET',
    headers: { 'user-agent': 'dialmark', ...(token === undefined ? {} : { authorization }), ...headers },
    headersTimeout: idleTimeoutMs,
    bodyTimeout: idleTimeoutMs,
    dispatcher: agent,
  }).catch(async (error: NodeJS.ErrnoException) => {
    await agent.destroy();
    throw new SourceError(`it cannot be reached (${error.code ?? error.name})`);
  });
  const close = async () => {
    // The body is not read any more. So its early end is not an error.
    body.on('error', () => {}).destroy();
    await agent.destroy();
  };
  if ((statusCode >= 200 && statusCode < 300) || expected.includes(statusCode))
    return { status: statusCode, text: readBody(body, close), close };
  await close();
  if (statusCode >= 300 && statusCode < 400)
    throw new SourceError(`it sends elsewhere${toTarget(replied.location, url)}; see _URL`);
  const challenge = [replied['www-authenticate'] ?? []].flat().join();
  if (statusCode === 401 && wantsDigest(challenge))
    throw new SourceError('it takes no login by Basic, only by Digest');
  throw new SourceError(problems[statusCode] ?? `it answered with HTTP ${statusCode}`);
}

/** Where the redirect leads, for the message. User name, password and query are left out, since they may be secret. */
function toTarget(location: string | string[] | undefined, url: string): string {
  if (typeof location !== 'string' || !URL.canParse(location, url)) return '';
  const { protocol, host, pathname } = new URL(location, url);
  return `, to ${protocol}//${host}${pathname}`;
}

/** Whether the server accepts only Digest. Baïkal does so (RFC 7616) until its administrator chooses Basic. */
const wantsDigest = (challenge: string): boolean =>
  /(?:^|,)\s*Digest\s/i.test(challenge) && !/(?:^|,)\s*Basic\s/i.test(challenge);

async function* readBody(
  body: AsyncIterable<Uint8Array>,
  close: () => Promise<void>,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > maxBodyBytes) throw new SourceError('its answer is longer than 512 MB');
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError(`its answer broke off (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  } finally {
    await close();
  }
}
