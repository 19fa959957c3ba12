/**
 * A software phone for any number of calls: one SIPp process that rings, answers, talks and hangs up. It follows its
 * behaviour, or the buttons that a test presses. It keeps every SIP message, so that a test can count the INVITEs.
 */
import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Child, startChild } from '../child.ts';
import { until } from '../until.ts';
import { buttonRequests, type PhoneBehaviour, phoneScenario, toneOf } from './sip-scenario.ts';
import type { Asterisk } from './start-asterisk.ts';

export interface SipPhone {
  /** First lines of the SIP messages, in order: `< INVITE …` received, `> SIP/2.0 180 Ringing` sent. */
  messages(): Promise<string[]>;
  /** The calls that rang here. A call whose INVITE was repeated counts once. */
  calls(): Promise<PhoneCall[]>;
  /** How many calls rang here. */
  invites(): Promise<number>;
  /** Presses a button of a phone that is answered by hand, in its last call. */
  press(button: keyof typeof buttonRequests): Promise<void>;
  stop(): Promise<void>;
}

export interface PhoneCall {
  /** Its Call-ID. */
  id: string;
  /** When its INVITE came, milliseconds since the epoch. */
  at: number;
  /** User of the address that was called. */
  to: string;
  /** Number that was shown. */
  from: string;
  isAnswered: boolean;
  /** When it was answered, and when and how it ended; absent until then. */
  answeredAt?: number;
  ended?: { at: number; how: 'hungUpHere' | 'hungUpThere' | 'declined' | 'missed' };
}

/** The number of port ranges for sound. Each phone takes its ports from one range. */
const maxMediaPorts = 40;

let phones = 0;

/** @param at the port on which it listens: the agents' or the one of all other phones. */
export async function startPhone(
  asterisk: Asterisk,
  at: 'agent' | 'far',
  behaviour: PhoneBehaviour = {},
): Promise<SipPhone> {
  phones += 1;
  const folder = path.join(asterisk.folder, `phone-${phones}`);
  await mkdir(folder);
  const file = (name: string) => path.join(folder, name);
  await writeFile(file('tone.raw'), toneOf(behaviour.toneHz ?? 440));
  await writeFile(file('scenario.xml'), phoneScenario(behaviour, file('tone.raw')));
  await writeFile(file('messages.log'), '');
  const port = asterisk.ports[at];
  const launch = async (mediaPort: number) => {
    const child = startChild(
      [
        ...asterisk.packages.sipp,
        ...['-sf', file('scenario.xml'), '-i', '127.0.0.1', '-p', String(port), '-mi', '127.0.0.1'],
        // Its control port is the first free one from 8888 on.
        ...['-ci', '127.0.0.1'],
        ...['-mp', String(mediaPort), '-nostdin'],
        ...['-trace_msg', '-message_file', file('messages.log')],
        ...['-trace_err', '-error_file', file('errors.log')],
        `127.0.0.1:${asterisk.ports.sip}`,
      ],
      { folder, environment: asterisk.packages.environment },
    );
    // SIPp binds its own port first, and then the port for sound. It ends if the port for sound is taken.
    // So both must be bound.
    const isUp = await Promise.race([
      until(() => isBound(port, mediaPort), `a phone on port ${port}`),
      child.exited.then(() => false),
    ]);
    return isUp ? child : undefined;
  };
  let child: Child | undefined;
  // SIPp ends where its port for sound is taken, by another phone of this machine for example.
  for (let tries = 0; child === undefined && tries < maxMediaPorts; tries += 1) {
    const mediaPort = 10_000 + 240 * Math.floor(Math.random() * maxMediaPorts);
    if (!(await isBound(mediaPort))) child = await launch(mediaPort);
  }
  if (!child) {
    const errors = await readFile(file('errors.log'), 'utf8').catch(() => 'no log');
    throw new Error(`the phone does not start: ${errors}`);
  }
  const running = child;
  const log = file('messages.log');
  return {
    messages: async () => (await readMessages(log)).map(({ line }) => line),
    calls: () => readCalls(log),
    invites: async () => (await readCalls(log)).length,
    async press(button) {
      const call = (await readCalls(log)).at(-1);
      if (call) await sendRequest(buttonRequests[button], call.id, port);
    },
    async stop() {
      await running.stop('SIGKILL');
    },
  };
}

/** Reads SIPp's log of the messages that it sent and received. */
const readMessages = async (log: string) =>
  [
    ...(await readFile(log, 'utf8')).matchAll(
      // Since SIPp 3.7 times are written `2026-11-22T12:51:41.718763Z`, before `2026-11-22 12:51:41.718763`.
      /^-+ (\d[\d-]+[ T][\d:.]+Z?)\n.*?message (sent|received).*?\n\n([\s\S]*?)(?=\n-{20,}|$(?![\s\S]))/gm,
    ),
  ].map(([, at, way, text]) => ({
    at: Date.parse(at!),
    line: `${way === 'sent' ? '>' : '<'} ${text!.split('\n', 1)[0]!.trim()}`,
    text: text!,
  }));

async function readCalls(log: string): Promise<PhoneCall[]> {
  // A message that is being written does not have its id yet.
  const all = await until(async () => {
    const read = (await readMessages(log)).map((message) => ({
      ...message,
      id: /^Call-ID: *(\S+)/im.exec(message.text)?.[1],
    }));
    return read.every(({ id }) => id !== undefined) && read;
  }, 'whole messages');
  const invites = new Map<string | undefined, (typeof all)[number]>();
  for (const message of all)
    if (message.line.startsWith('< INVITE') && !invites.has(message.id)) invites.set(message.id, message);
  return [...invites].map(([id, { at, text }]) => {
    const ofCall = all.filter((one) => one.id === id);
    const answer = ofCall.find(
      ({ line, text }) => line.startsWith('> SIP/2.0 200') && /^CSeq:.*INVITE/im.test(text),
    );
    const end = ofCall.flatMap(({ at, line }) => {
      const how = ends.find(([start]) => line.startsWith(start))?.[1];
      return how === undefined ? [] : { at, how };
    })[0];
    return {
      id: id!,
      at,
      to: /^INVITE sip:([^@;\s]*)/m.exec(text)?.[1] ?? '',
      from: /^From:.*?sip:([^@;>\s]*)/im.exec(text)?.[1] ?? '',
      isAnswered: answer !== undefined,
      ...(answer ? { answeredAt: answer.at } : {}),
      ...(end ? { ended: end } : {}),
    };
  });
}

/** Linux lists bound UDP ports in hexadecimal. */
async function isBound(...ports: number[]): Promise<boolean> {
  const table = await readFile('/proc/net/udp', 'utf8');
  return ports.every((port) =>
    table.includes(`0100007F:${port.toString(16).toUpperCase().padStart(4, '0')} `),
  );
}

/** How a call ends, by the first line of the message that says so. */
const ends: readonly (readonly [start: string, how: NonNullable<PhoneCall['ended']>['how']])[] = [
  ['< CANCEL', 'missed'],
  ['< BYE', 'hungUpThere'],
  ['> BYE', 'hungUpHere'],
  ['> SIP/2.0 4', 'declined'],
  ['> SIP/2.0 6', 'declined'],
];

/** SIPp finds the call by its Call-ID, not by the sender. */
function sendRequest(method: string, callId: string, port: number): Promise<void> {
  const text = [
    `${method} sip:phone@127.0.0.1:${port} SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:9;branch=z9hG4bK${randomUUID()}`,
    `From: <sip:button@127.0.0.1>;tag=${randomUUID()}`,
    `To: <sip:phone@127.0.0.1:${port}>`,
    `Call-ID: ${callId}`,
    `CSeq: 1 ${method}`,
    'Max-Forwards: 1',
    'Content-Length: 0',
  ];
  const socket = createSocket('udp4');
  return new Promise((resolve, reject) =>
    socket.send(`${text.join('\r\n')}\r\n\r\n`, port, '127.0.0.1', (error) => {
      socket.close();
      if (error) reject(error);
      else resolve();
    }),
  );
}
