/**
 * The operator's own system, for tests. It checks signatures by its own code, written from the text of Standard
 * Webhooks. So an error in the relay's code is not repeated here.
 */
import { webcrypto } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type RecordingServer, startRecordingServer } from './recording-server.ts';

interface ReceivedHook {
  id: string;
  timestamp: number;
  headers: IncomingHttpHeaders;
  path: string;
  text: string;
  /** Which of the receiver's secrets each signature was made with, by place; -1 for none of them. */
  signedWith: number[];
}

export type WebhookReceiver = RecordingServer<ReceivedHook>;

/** @param secrets as the operator would write them, `whsec_…`. */
export async function startWebhookReceiver(...secrets: string[]): Promise<WebhookReceiver> {
  const keys = await Promise.all(
    secrets.map((secret) =>
      webcrypto.subtle.importKey(
        'raw',
        Uint8Array.from(atob(secret.replace('whsec_', '')), (character) => character.charCodeAt(0)),
        { name: 'HMAC', hash: 'SHA-256' },
        false,
        ['verify'],
      ),
    ),
  );
  const verify = async (signature: string, content: Uint8Array): Promise<number> => {
    const [version, encoded = ''] = signature.split(',');
    if (version !== 'v1') return -1;
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    const good = await Promise.all(
      keys.map((key) => webcrypto.subtle.verify('HMAC', key, bytes, content as Uint8Array<ArrayBuffer>)),
    );
    return good.indexOf(true);
  };

  const server = await startRecordingServer<ReceivedHook>(
    async ({ headers, url }, body) => {
      const id = String(headers['webhook-id']);
      const content = Buffer.concat([Buffer.from(`${id}.${headers['webhook-timestamp']}.`), body]);
      const signatures = String(headers['webhook-signature']).split(' ');
      return {
        id,
        timestamp: Number(headers['webhook-timestamp']),
        headers,
        path: url!,
        text: body.toString('utf8'),
        signedWith: await Promise.all(signatures.map((signature) => verify(signature, content))),
      };
    },
    (_hook, response) => void response.writeHead(204).end(),
  );
  return Object.assign(server, { url: `${server.url}/hook?for=calls` });
}
