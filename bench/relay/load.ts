/** Subscribers and publishers in one process with one clock. Raw sockets keep the client's own work small. */
import { connect, type Socket } from 'node:net';
import type { Target } from './target.ts';

/** The fields that carry a message's due time (nanoseconds) and its number. Both targets pass them on unchanged. */
const moment = Buffer.from('"mainchannel":"');
const number = Buffer.from('"route":"');
const quote = 34;
const space = 32;
const digitTwo = 50;

/** Nanoseconds since this process began. */
export const nanoseconds = () => Math.round(performance.now() * 1e6);

/** As large as a real notification with a short callflow. */
const padding = 'x'.repeat(760);

function notification(due: number, n: number): string {
  return (
    `{"event":"hangup","action":"click-to-call","mainchannel":"${due}","route":"${n}",` +
    `"billsec":"48","duration":"62","customer":"${padding}"}`
  );
}

type OnMessage = (n: number, due: number, at: number, id: string) => void;

/** Opens one subscriber's stream. */
export function subscribe(
  target: Target,
  channel: string,
  onMessage: OnMessage,
  lastEventId?: string,
): Promise<Socket> {
  const { path, headers } = target.subscribe(channel);
  return new Promise((resolve, reject) => {
    const socket = connect(target.port, '127.0.0.1');
    socket.setNoDelay(true);
    let open = false;
    let rest: Buffer = Buffer.alloc(0);
    socket.on('connect', () => {
      const cursor = lastEventId === undefined ? '' : `Last-Event-ID: ${lastEventId}\r\n`;
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n${headers}${cursor}\r\n`,
      );
    });
    socket.on('data', (chunk: Buffer) => {
      const at = nanoseconds();
      let bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      if (!open) {
        const end = bytes.indexOf('\r\n\r\n');
        if (end < 0) {
          rest = bytes;
          return;
        }
        if (!bytes.subarray(0, 15).includes(' 200'))
          return reject(new Error(bytes.subarray(0, 300).toString()));
        open = true;
        bytes = bytes.subarray(end + 4);
        resolve(socket);
      }
      rest = read(bytes, at, onMessage);
    });
    socket.on('error', reject);
  });
}

/** Reports every complete message. @returns the rest, an incomplete one. */
function read(bytes: Buffer, at: number, onMessage: OnMessage): Buffer {
  let position = 0;
  for (;;) {
    const found = bytes.indexOf(moment, position);
    if (found < 0) {
      // An incomplete message begins with its id.
      const id = bytes.lastIndexOf('id: ');
      return id >= position ? bytes.subarray(id) : Buffer.alloc(0);
    }
    const end = bytes.indexOf('\n\n', found);
    const endCrlf = end < 0 ? bytes.indexOf('\r\n\r\n', found) : end;
    const id = bytes.lastIndexOf('id: ', found);
    if (endCrlf < 0) return bytes.subarray(Math.max(id, position));
    const dueEnd = bytes.indexOf(quote, found + moment.length);
    const from = bytes.indexOf(number, dueEnd);
    const numberAt = from + number.length;
    const idEnd = bytes.indexOf('\n', id);
    onMessage(
      parseDigits(bytes, numberAt, bytes.indexOf(quote, numberAt)),
      parseDigits(bytes, found + moment.length, dueEnd),
      at,
      bytes.toString('latin1', id + 4, idEnd).trim(),
    );
    position = endCrlf;
  }
}

/** Parses the decimal digits between two offsets. */
function parseDigits(bytes: Buffer, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) value = value * 10 + bytes[at]! - 48;
  return value;
}

interface Published {
  /** Nanoseconds from due to acknowledged. */
  acknowledged: number[];
  refused: number;
}

/**
 * Sends messages at a steady rate over keep-alive connections, one request at a time on each.
 * @param rate per second.
 */
export async function publish(
  target: Target,
  messages: readonly { n: number; channel: string }[],
  rate: number,
  connections: number,
): Promise<Published> {
  const result: Published = { acknowledged: [], refused: 0 };
  let finished: () => void = () => {};
  const all = new Promise<void>((resolve) => {
    finished = resolve;
  });
  const onReply = (due: number, isAccepted: boolean) => {
    if (!isAccepted) result.refused += 1;
    if (result.acknowledged.push(nanoseconds() - due) === messages.length) finished();
  };
  const pool = await Promise.all(
    Array.from({ length: connections }, () => openPublisher(target.port, onReply)),
  );
  const start = nanoseconds();
  let sent = 0;
  while (sent < messages.length) {
    const elapsed = (nanoseconds() - start) / 1e9;
    for (const last = Math.min(messages.length, Math.floor(elapsed * rate) + 1); sent < last; sent++) {
      const { n, channel } = messages[sent]!;
      // Up to 1000/s the time starts when the request leaves. Our timer cannot keep higher rates, so there
      // the time starts when the request is due.
      const due = rate > 1000 ? start + Math.round((sent / rate) * 1e9) : nanoseconds();
      pool[sent % connections]!.send({ path: target.publish(n, channel), n, due });
    }
    const untilNext = (start + (sent / rate) * 1e9 - nanoseconds()) / 1e6;
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, Math.floor(untilNext))));
  }
  await all;
  for (const publisher of pool) publisher.close();
  return result;
}

interface Message {
  path: string;
  n: number;
  due: number;
}

interface Publisher {
  send(message: Message): void;
  close(): void;
}

/** @param onReply called for every reply, with whether it was a 2xx. */
async function openPublisher(
  port: number,
  onReply: (due: number, isAccepted: boolean) => void,
): Promise<Publisher> {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  await new Promise((resolve) => socket.once('connect', resolve));
  const queue: Message[] = [];
  let busy: Message | undefined;
  let rest: Buffer | undefined;
  const next = () => {
    busy = queue.shift();
    if (!busy) return;
    const body = notification(busy.due, busy.n);
    const head =
      `POST ${busy.path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}`;
    socket.write(`${head}\r\n\r\n${body}`, 'latin1');
  };
  socket.on('data', (chunk: Buffer) => {
    const reply = rest ? Buffer.concat([rest, chunk]) : chunk;
    rest = isComplete(reply) ? undefined : reply;
    if (rest || !busy) return;
    onReply(busy.due, reply[reply.indexOf(space) + 1] === digitTwo);
    next();
  });
  return {
    send: (message) => {
      queue.push(message);
      if (!busy) next();
    },
    close: () => socket.destroy(),
  };
}

/** Both targets send the length of their replies, spelled differently. */
function isComplete(reply: Buffer): boolean {
  const head = reply.indexOf('\r\n\r\n', 0, 'latin1');
  if (head < 0) return false;
  const length = reply.indexOf('ength: ', 0, 'latin1');
  if (length < 0 || length > head) return true;
  const from = length + 'ength: '.length;
  return reply.length >= head + 4 + parseDigits(reply, from, reply.indexOf('\r', from, 'latin1'));
}
