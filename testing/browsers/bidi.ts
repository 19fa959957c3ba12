/** A WebDriver BiDi connection, with commands, replies and events. Firefox speaks it without a driver. */
import WebSocket from 'ws';

export interface Bidi {
  send<T = unknown>(method: string, params?: object): Promise<T>;
  onEvent(handler: (method: string, params: Record<string, unknown>) => void): void;
  close(): void;
}

const commandLimitMs = 120_000;

export async function connectBidi(url: string): Promise<Bidi> {
  const socket = new WebSocket(url, { maxPayload: 256 * 1024 * 1024 });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
  const waiting = new Map<
    number,
    (reply: { type: string; result?: unknown; error?: string; message?: string }) => void
  >();
  const handlers: ((method: string, params: Record<string, unknown>) => void)[] = [];
  let next = 0;

  socket.on('message', (data) => {
    const message = JSON.parse(String(data));
    if (typeof message.id === 'number') {
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    } else for (const handler of handlers) handler(message.method, message.params);
  });
  socket.on('close', () => {
    for (const answer of waiting.values())
      answer({ type: 'error', error: 'closed', message: 'Firefox went away' });
    waiting.clear();
  });

  return {
    send: <T>(method: string, params: object = {}) =>
      new Promise<T>((resolve, reject) => {
        const id = ++next;
        const timer = setTimeout(() => {
          waiting.delete(id);
          reject(new Error(`${method}: no answer within ${commandLimitMs / 1000} s`));
        }, commandLimitMs);
        waiting.set(id, (reply) => {
          clearTimeout(timer);
          if (reply.type === 'error') reject(new Error(`${method}: ${reply.error}: ${reply.message}`));
          else resolve(reply.result as T);
        });
        socket.send(JSON.stringify({ id, method, params }));
      }),
    onEvent: (handler) => void handlers.push(handler),
    close: () => socket.close(),
  };
}
