/**
 * A software phone: one SIPp process that rings, answers, talks and hangs up as it was told beforehand, for any number of calls.
 * Every SIP message is kept, so that a test can count the INVITEs.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startChild } from '../../tools/child.ts';
import { freeUdpPort } from '../servers/free-port.ts';
import { until } from '../until.ts';
import type { Asterisk } from './start-asterisk.ts';

export interface PhoneBehaviour {
  /** Milliseconds between ringing and the answer. */
  ringMs?: number;
  answer?: 'accept' | 'busy' | 'decline' | 'unknown' | 'never';
  /** Milliseconds after which this phone hangs up; absent: it waits for the other. */
  talkMs?: number;
  /** The tone it sends while it talks. */
  toneHz?: number;
}

export interface SipPhone {
  /** First lines of the SIP messages, in order: `< INVITE …` received, `> SIP/2.0 180 Ringing` sent. */
  messages(): Promise<string[]>;
  /** The calls that rang here, each once however often its INVITE was repeated. */
  calls(): Promise<PhoneCall[]>;
  /** How many calls rang here. */
  invites(): Promise<number>;
  stop(): Promise<void>;
}

export interface PhoneCall {
  /** When its INVITE came, milliseconds since the epoch. */
  at: number;
  /** User of the address that was called. */
  to: string;
  /** Number that was shown. */
  from: string;
  isAnswered: boolean;
}

const statusLines = {
  busy: '486 Busy Here',
  decline: '603 Decline',
  unknown: '404 Not Found',
  never: '480 Temporarily Unavailable',
} as const;
let phones = 0;

/** @param at which of the two ports it listens on: the agents' or everybody else's. */
export async function startPhone(
  asterisk: Asterisk,
  at: 'agent' | 'far',
  behaviour: PhoneBehaviour = {},
): Promise<SipPhone> {
  phones += 1;
  const folder = path.join(asterisk.folder, `phone-${phones}`);
  await mkdir(folder);
  const file = (name: string) => path.join(folder, name);
  await writeFile(file('tone.raw'), tone(behaviour.toneHz ?? 440));
  await writeFile(file('scenario.xml'), scenario(behaviour, file('tone.raw')));
  await writeFile(file('messages.log'), '');
  const port = asterisk.ports[at];
  const child = startChild(
    [
      asterisk.packages.sipp,
      ...['-sf', file('scenario.xml'), '-i', '127.0.0.1', '-p', String(port), '-mi', '127.0.0.1'],
      ...['-ci', '127.0.0.1', '-cp', String(await freeUdpPort())],
      ...['-mp', String(10_000 + ((process.pid + phones) % 40) * 240), '-nostdin'],
      ...['-trace_msg', '-message_file', file('messages.log')],
      ...['-trace_err', '-error_file', file('errors.log')],
      `127.0.0.1:${asterisk.ports.sip}`,
    ],
    { folder, environment: asterisk.packages.environment },
  );
  const ended = child.exited.then(async (code) => {
    const errors = await readFile(file('errors.log'), 'utf8').catch(() => '');
    throw new Error(`the phone ended with ${code}: ${errors}`);
  });
  ended.catch(() => {});
  await Promise.race([until(() => isBound(port), `a phone on port ${port}`), ended]);
  const messages = async () =>
    [
      ...(await readFile(file('messages.log'), 'utf8')).matchAll(
        /^-+ (\d[\d-]+ [\d:.]+)\n.*?message (sent|received).*?\n\n([\s\S]*?)(?=\n-{20,}|$(?![\s\S]))/gm,
      ),
    ].map(([, at, way, text]) => ({
      at: Date.parse(at!),
      line: `${way === 'sent' ? '>' : '<'} ${text!.split('\n', 1)[0]!.trim()}`,
      text: text!,
    }));
  const calls = async (): Promise<PhoneCall[]> => {
    // A message that is just being written has no id yet.
    const all = await until(async () => {
      const read = (await messages()).map((message) => ({
        ...message,
        id: /^Call-ID: *(\S+)/im.exec(message.text)?.[1],
      }));
      return read.every(({ id }) => id !== undefined) && read;
    }, 'whole messages');
    const invites = new Map<string | undefined, (typeof all)[number]>();
    for (const message of all)
      if (message.line.startsWith('< INVITE') && !invites.has(message.id)) invites.set(message.id, message);
    return [...invites].map(([id, { at, text }]) => ({
      at,
      to: /^INVITE sip:([^@;\s]*)/m.exec(text)?.[1] ?? '',
      from: /^From:.*?sip:([^@;>\s]*)/im.exec(text)?.[1] ?? '',
      isAnswered: all.some(
        (one) => one.id === id && one.line.startsWith('> SIP/2.0 200') && /^CSeq:.*INVITE/im.test(one.text),
      ),
    }));
  };
  return {
    messages: async () => (await messages()).map(({ line }) => line),
    calls,
    invites: async () => (await calls()).length,
    async stop() {
      await child.stop('SIGKILL');
    },
  };
}

/** Linux lists bound UDP ports in hexadecimal. */
async function isBound(port: number): Promise<boolean> {
  const table = await readFile('/proc/net/udp', 'utf8');
  return table.includes(`0100007F:${port.toString(16).toUpperCase().padStart(4, '0')} `);
}

const reply = (
  line: string,
  { isToInvite = true, sdp = false, attributes = '' } = {},
) => `<send${attributes}><![CDATA[
SIP/2.0 ${line}
${
  isToInvite
    ? '[$via]\nFrom: [$from]\nTo: [$to];tag=[call_number]t[pid]\nCall-ID: [call_id]\nCSeq: [$cs]'
    : '[last_Via:]\n[last_From:]\n[last_To:]\n[last_Call-ID:]\n[last_CSeq:]'
}
Contact: <sip:phone@[local_ip]:[local_port]>
${
  sdp
    ? `Content-Type: application/sdp
Content-Length: [len]

v=0
o=phone 1 1 IN IP4 [local_ip]
s=-
c=IN IP4 [media_ip]
t=0 0
m=audio [rtpstream_audio_port] RTP/AVP 0
a=rtpmap:0 PCMU/8000`
    : 'Content-Length: 0'
}

]]></send>`;

/** Labels are numbers to SIPp. */
const [answerLabel, byeLabel, byedLabel, cancelledLabel, endLabel] = [1, 2, 3, 4, 5];
const foreverMs = 3_600_000;

function scenario(
  { ringMs = 300, answer = 'accept', talkMs = foreverMs }: PhoneBehaviour,
  toneFile: string,
): string {
  const ring = answer === 'never' ? foreverMs : Math.max(1, ringMs);
  const answered = `${reply('200 OK', { sdp: true, attributes: ' retrans="500"' })}
<recv request="ACK"/>
<nop><action><exec rtp_stream="${toneFile},-1,0"/></action></nop>
<recv request="BYE" timeout="${talkMs}" ontimeout="${byeLabel}" next="${byedLabel}"/>
<label id="${byeLabel}"/>
<send retrans="500"><![CDATA[
BYE [$peer] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: [$to];tag=[call_number]t[pid]
To: [$from]
Call-ID: [call_id]
CSeq: 1 BYE
Max-Forwards: 70
Content-Length: 0

]]></send>
<recv response="200" next="${endLabel}"/>`;
  const header = (name: string, variable: string) =>
    `<ereg regexp=".*" search_in="hdr" header="${name}:" assign_to="${variable}"/>`;
  return `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="phone">
<recv request="INVITE"><action>
<ereg regexp="Via:[^\\r\\n]*" search_in="msg" assign_to="via"/>
${header('From', 'from')}${header('To', 'to')}${header('CSeq', 'cs')}
<ereg regexp="sip:[^>]*" search_in="hdr" header="Contact:" assign_to="peer"/>
</action></recv>
<Reference variables="via,from,to,cs,peer"/>
${reply('180 Ringing')}
<recv request="CANCEL" timeout="${ring}" ontimeout="${answerLabel}" next="${cancelledLabel}"/>
<label id="${answerLabel}"/>
${answer === 'accept' ? answered : `${reply(statusLines[answer])}\n<recv request="ACK" next="${endLabel}"/>`}
<label id="${byedLabel}"/>
${reply('200 OK', { isToInvite: false })}
<nop next="${endLabel}"/>
<label id="${cancelledLabel}"/>
${reply('200 OK', { isToInvite: false })}
${reply('487 Request Terminated')}
<recv request="ACK"/>
<label id="${endLabel}"/>
<nop/>
</scenario>`;
}

/** Ten seconds of a tone as G.711 mu-law, which is what the phones speak. */
function tone(hz: number): Buffer {
  const bytes = Buffer.alloc(80_000);
  for (let index = 0; index < bytes.length; index += 1) {
    const sample = Math.round(8000 * Math.sin((2 * Math.PI * hz * index) / 8000));
    const sign = sample < 0 ? 0x80 : 0;
    const magnitude = Math.min(Math.abs(sample), 32_635) + 132;
    const exponent = Math.floor(Math.log2(magnitude)) - 7;
    bytes[index] = ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 15)) & 255;
  }
  return bytes;
}
