/**
 * Serves the demo CRM as any website would: its built files under /crm/, and an address for the widget's tickets. The
 * site key stays on this server (Law 5).
 */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { send } from '@fastify/send';
import { withoutTrailingSlash } from '../shared/address.ts';

export interface CrmRelay {
  /** The relay's base address, as browsers reach it. */
  url: string;
  siteKey: string;
  /** The agent whose calls the widget follows. */
  from: string;
  /** By default only `watch`. */
  rights?: readonly ('watch' | 'dial' | 'hangup')[];
}

interface CrmOptions {
  relay: CrmRelay | undefined;
  folder: string | undefined;
  /** The address of the recordings, if they are elsewhere. The page may play media from it. */
  recordings?: string;
}

const builtFolder = fileURLToPath(new URL('../dist/crm', import.meta.url));

/** How long a ticket is valid, in seconds. It may be short: the widget asks again before the end. */
const ticketSeconds = 300;

/** @returns whether the address belongs to the CRM. If so, the reply is sent. */
export async function crmResponse(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  options: CrmOptions,
): Promise<boolean> {
  const { relay, folder = builtFolder } = options;
  if (url.pathname === '/dialmark-ticket') return ticket(request, response, relay);
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  if (url.pathname === '/' || url.pathname === '/crm') {
    response.writeHead(302, { location: `/crm/${url.search}` }).end();
    return true;
  }
  if (url.pathname === '/favicon.ico') {
    response.writeHead(204).end();
    return true;
  }
  if (!url.pathname.startsWith('/crm/')) return false;
  const headers = {
    'content-security-policy': contentSecurityPolicy(options),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  };
  const name = url.pathname.slice('/crm'.length);
  if (name === '/' || name === '/index.html') {
    const page = await readFile(path.join(folder, 'index.html'), 'utf8').catch(() => undefined);
    if (page === undefined) {
      response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8' });
      response.end('The CRM page is not built yet: run `npm run build -- crm`.\n');
      return true;
    }
    response.writeHead(200, { ...headers, 'content-type': 'text/html; charset=utf-8' });
    response.end(withHead(page, options));
    return true;
  }
  const file = await send(request, name, { root: folder, index: false, cacheControl: false });
  if (file.statusCode >= 400) return false;
  response.writeHead(file.statusCode, { ...file.headers, ...headers });
  file.stream.pipe(response);
  return true;
}

/** The page may load only our own files, the relay's files and recordings. Inline scripts and styles are forbidden. */
function contentSecurityPolicy({ relay, recordings }: CrmOptions): string {
  const sources = ["'self'", ...(relay ? [new URL(relay.url).origin] : [])].join(' ');
  const media = recordings === undefined ? '' : ` media-src 'self' ${new URL(recordings).origin};`;
  const none = "base-uri 'none'; object-src 'none'; form-action 'none'; frame-ancestors 'none'";
  return `default-src ${sources};${media} ${none}`;
}

/**
 * Adds the script that every site with the widget loads (docs/embedders.md). The page's own code creates the element.
 */
function withHead(page: string, { relay }: CrmOptions): string {
  if (!relay) return page;
  const base = withoutTrailingSlash(relay.url);
  const head = `<meta name="dialmark-relay" content="${base}"><script type="module" src="${base}/widget.js"></script>`;
  return page.replace('</head>', `${head}</head>`);
}

async function ticket(
  request: IncomingMessage,
  response: ServerResponse,
  relay: CrmRelay | undefined,
): Promise<true> {
  const answer = (status: number, body: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end(JSON.stringify(body));
    return true as const;
  };
  // A real CRM checks in its session who is signed in. This CRM has only one agent, and refuses the pages of other
  // sites.
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin')
    return answer(403, { message: 'tickets are given to pages of this site alone' });
  if (!relay) return answer(503, { message: 'this CRM was started without a relay' });
  try {
    const minted = await fetch(`${withoutTrailingSlash(relay.url)}/v1/tickets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${relay.siteKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ from: relay.from, rights: relay.rights ?? ['watch'], ttl: ticketSeconds }),
      signal: AbortSignal.timeout(5000),
    });
    if (!minted.ok) return answer(502, { message: `the relay gave no ticket (HTTP ${minted.status})` });
    return answer(200, await minted.json());
  } catch {
    return answer(502, { message: 'the relay cannot be reached' });
  }
}
