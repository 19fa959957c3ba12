/** Reads a WebDAV multistatus (RFC 4918) as it arrives. An entity that XML itself does not define is an error. */
import { SaxesParser } from 'saxes';
import { SourceError } from './source.ts';

export interface DavResponse {
  href: string;
  /** The status of the member itself, if the server gives one. */
  status?: number;
  etag?: string;
  addressData?: string;
}

export interface MultistatusEnd {
  syncToken?: string;
}

const dav = 'DAV:';
const carddav = 'urn:ietf:params:xml:ns:carddav';
/** The most characters of a card with its photo, which many servers send unasked. */
const maxTextLength = 32 * 1024 * 1024;

type MultistatusField = 'href' | 'status' | 'etag' | 'addressData' | 'syncToken';
/** Elements by their names, each with the element that must hold it. */
const fields: readonly (readonly [
  field: MultistatusField,
  namespace: string,
  name: string,
  parent: string,
])[] = [
  ['href', dav, 'href', 'response'],
  ['status', dav, 'status', 'response'],
  ['etag', dav, 'getetag', 'prop'],
  ['addressData', carddav, 'address-data', 'prop'],
  ['syncToken', dav, 'sync-token', 'multistatus'],
];

/** @throws SourceError for anything but a well-formed multistatus. */
export async function* readMultistatus(
  chunks: AsyncIterable<string>,
): AsyncGenerator<DavResponse, MultistatusEnd> {
  const parser = new SaxesParser({ xmlns: true });
  const end: MultistatusEnd = {};
  const path: string[] = [];
  let found: DavResponse[] = [];
  let response: Partial<DavResponse> = {};
  let field: MultistatusField | undefined;
  let text = '';
  let root: string | undefined;
  parser.on('error', (error) => {
    throw new SourceError(`it answered with XML that is not well-formed: ${error.message.slice(0, 100)}`);
  });
  parser.on('opentag', ({ uri, local }) => {
    root ??= `${uri}${local}`;
    const parent = path.at(-1);
    path.push(local);
    if (uri === dav && local === 'response' && path.length === 2) response = {};
    const known = fields.find(
      ([, namespace, name, holder]) => uri === namespace && local === name && parent === holder,
    );
    if (!known) return;
    [field] = known;
    text = '';
  });
  const add = (part: string) => {
    if (field && text.length < maxTextLength) text += part.slice(0, maxTextLength - text.length);
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', ({ uri, local }) => {
    path.pop();
    if (field && fields.some(([name, , element]) => name === field && element === local)) {
      if (field === 'syncToken') end.syncToken = text.trim();
      else if (field === 'status') {
        const status = Number(/^HTTP\/\S+ (\d{3})/.exec(text.trim())?.[1]);
        if (status) response.status = status;
      } else response[field] = field === 'addressData' ? text : text.trim();
      field = undefined;
    }
    if (uri === dav && local === 'response' && path.length === 1 && response.href)
      found.push(response as DavResponse);
  });
  for await (const chunk of chunks) {
    parser.write(chunk);
    yield* found;
    found = [];
  }
  parser.close();
  if (root !== `${dav}multistatus`)
    throw new SourceError('it answered with something else than a multistatus');
  yield* found;
  return end;
}
