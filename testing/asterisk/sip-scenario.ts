/** Writes the behaviour of a software phone as a scenario of SIPp. */

export interface PhoneBehaviour {
  /** Milliseconds between ringing and the answer. */
  ringMs?: number;
  /** `byHand`: it rings until `press`. `redirect`: to another phone, `redirectedTo`. */
  answer?: 'accept' | 'busy' | 'decline' | 'unknown' | 'never' | 'redirect' | 'byHand';
  /** Milliseconds after which this phone hangs up. Without it, the other side hangs up. */
  talkMs?: number;
  /** The tone it sends while it talks. */
  toneHz?: number;
}

const statusLines = {
  busy: '486 Busy Here',
  decline: '603 Decline',
  unknown: '404 Not Found',
  never: '480 Temporarily Unavailable',
  redirect: '302 Moved Temporarily',
} as const;

/** The extension that a phone redirects to. */
const redirectedTo = '2000';

/**
 * The buttons of a phone that is answered by hand. SIPp waits for SIP messages only, so a button is a request in the
 * call. Asterisk does not send requests of these kinds here.
 */
export const buttonRequests = { answer: 'MESSAGE', hangUp: 'INFO' } as const;

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
Contact: <sip:${redirectedTo}@[local_ip]:[local_port]>
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
const [answerLabel, byeLabel, byedLabel, cancelledLabel, endLabel, declineLabel] = [1, 2, 3, 4, 5, 6];
const foreverMs = 3_600_000;

/** @param toneFile what it sends while it talks, as G.711. @returns XML for SIPp. */
export function phoneScenario(
  { ringMs = 300, answer = 'accept', talkMs = foreverMs }: PhoneBehaviour,
  toneFile: string,
): string {
  const ring = answer === 'never' ? foreverMs : Math.max(1, ringMs);
  const isByHand = answer === 'byHand';
  const waitForEnd = isByHand
    ? `<recv request="BYE" optional="true" next="${byedLabel}"/>
<recv request="${buttonRequests.hangUp}"/>`
    : `<recv request="BYE" timeout="${talkMs}" ontimeout="${byeLabel}" next="${byedLabel}"/>`;
  const answered = `${reply('200 OK', { sdp: true, attributes: ' retrans="500"' })}
<recv request="ACK"/>
<nop><action><exec rtp_stream="${toneFile},-1,0"/></action></nop>
${waitForEnd}
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
  const refused = (line: string) => `${reply(line)}\n<recv request="ACK" next="${endLabel}"/>`;
  const rings = isByHand
    ? `<recv request="CANCEL" optional="true" next="${cancelledLabel}"/>
<recv request="${buttonRequests.hangUp}" optional="true" next="${declineLabel}"/>
<recv request="${buttonRequests.answer}" next="${answerLabel}"/>
<label id="${declineLabel}"/>
${refused(statusLines.decline)}`
    : `<recv request="CANCEL" timeout="${ring}" ontimeout="${answerLabel}" next="${cancelledLabel}"/>`;
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
${rings}
<label id="${answerLabel}"/>
${answer === 'accept' || answer === 'byHand' ? answered : refused(statusLines[answer])}
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

/** Ten seconds of a tone as G.711 mu-law, the codec of the phones. */
export function toneOf(hz: number): Buffer {
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
