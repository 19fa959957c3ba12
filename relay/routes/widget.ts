/** GET /widget.js, compressed if the browser accepts gzip, and GET /widget.tgz, the same as an npm package. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { ProblemError } from '../problem.ts';

/** @param folder of the built widget. */
export function widgetRoutes(app: FastifyInstance, folder: string): void {
  serveFile(app, 'widget.js', folder, 'text/javascript; charset=utf-8');
  serveFile(app, 'widget.tgz', folder, 'application/gzip');
}

function serveFile(app: FastifyInstance, name: string, folder: string, type: string): void {
  const readWidget = cachedFile(join(folder, name));
  const mayCompress = !name.endsWith('.tgz');
  app.get(`/${name}`, async (request, reply) => {
    const widget = await readWidget();
    if (!widget)
      throw new ProblemError('widgetNotBuilt', {
        detail: 'Run `npm run build` on the relay, then load the page again.',
      });
    const isCompressed = mayCompress && takesGzip(request.headers['accept-encoding'] ?? '');
    reply
      .header('etag', widget.etag)
      .header('vary', 'accept-encoding')
      .header('cache-control', 'public, max-age=300, stale-while-revalidate=86400')
      // Any site may embed it; it holds no secret.
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin');
    const known = request.headers['if-none-match'];
    if (known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === widget.etag.slice(2)))
      return reply.code(304).send();
    reply.type(type);
    return isCompressed
      ? reply.header('content-encoding', 'gzip').send(widget.gzipped)
      : reply.send(widget.bytes);
  });
}

/** Whether the list names gzip, and not with a weight of zero, which refuses it. */
const takesGzip = (encodings: string): boolean =>
  /(?:^|,)\s*gzip\s*(?:,|$|;(?!\s*q=0(?:\.0*)?\s*(?:,|$)))/i.test(encodings);

interface CachedFile {
  bytes: Buffer;
  gzipped: Buffer;
  /** A weak tag, because it is the same for both encodings. */
  etag: string;
}

/** Reads a file again only when it changed. */
function cachedFile(path: string): () => Promise<CachedFile | undefined> {
  let cached: CachedFile | undefined;
  let seen = '';
  return async () => {
    const info = await stat(path).catch(() => undefined);
    if (!info?.isFile()) return undefined;
    const version = `${info.mtimeMs}/${info.size}`;
    if (!cached || version !== seen) {
      const bytes = await readFile(path);
      const etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
      cached = { bytes, gzipped: await promisify(gzip)(bytes), etag };
      seen = version;
    }
    return cached;
  };
}
