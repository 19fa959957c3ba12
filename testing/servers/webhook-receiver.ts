/**
 * The operator's own system, for tests. It checks signatures by code written from the text of Standard Webhooks, which shares no
 * line with the relay's, and replies as set.
 */
import { webcrypto } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { listen } from './listen.ts';

interface ReceivedHook {
  id: string;
  timestamp: number;
  headers: IncomingHttpHeaders;
  path: string;
  text: string;
  /** Which of the receiver's secrets each signature was made with, by place; -1 for none of them. */
  signedWith: number[];
}

export interface WebhookReceiver {
  url: string;
  hooks: ReceivedHook[];
  /** Resolves when this many have arrived in all. */
  until(count: number): Promise<ReceivedHook[]>;
  /** Replaces the answer to the next ones. */
  answer: (hook: ReceivedHook, response: ServerResponse) => void;
  stop(): Promise<void>;
}

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

  let wake: () => void = () => {};
  const { url, close } = await listen(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { headers } = request;
    const id = String(headers['webhook-id']);
    const content = Buffer.concat([Buffer.from(`${id}.${headers['webhook-timestamp']}.`), body]);
    const hook: ReceivedHook = {
      id,
      timestamp: Number(headers['webhook-timestamp']),
      headers,
      path: request.url!,
      text: body.toString('utf8'),
      signedWith: await Promise.all(
        String(headers['webhook-signature'])
          .split(' ')
          .map((signature) => verify(signature, content)),
      ),
    };
    receiver.hooks.push(hook);
    receiver.answer(hook, response);
    wake();
  });
  const receiver: WebhookReceiver = {
    url: `${url}/hook?for=calls`,
    hooks: [],
    until: async (count) => {
      while (receiver.hooks.length < count)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return receiver.hooks;
    },
    answer: (_hook, response) => void response.writeHead(204).end(),
    stop: close,
  };
  return receiver;
}
