import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Call, newCall, newCallId } from '../call/call.ts';
import { transition } from '../call/transition.ts';
import { applyFieldMap } from './field-map.ts';
import { type EndFact, type NotificationReading, readNotification, readSeconds } from './notification.ts';
import { completeRecordingUrl } from './recording.ts';

const at = '2026-11-21T10:05:00.000Z';
const entry = (uniqueid: string, exten: string) => ({
  event: 'Newchannel',
  privilege: 'call,all',
  channel: `SIP/${exten}-0001`,
  channelstate: '0',
  channelstatedesc: 'Down',
  calleridnum: exten,
  calleridname: '<unknown>',
  connectedlinenum: '',
  connectedlinename: '<unknown>',
  language: 'pt_BR',
  accountcode: '',
  context: 'default',
  exten,
  priority: '1',
  uniqueid,
  linkedid: '1763719200.10',
});
const v1 = {
  event: 'hangup',
  action: 'click-to-call',
  calldate: '2026-11-21T10:00:00.000Z',
  hangupdate: '2026-11-21T10:01:10.000Z',
  uniqueid: '1763719200.10',
  linkedid: '1763719200.10',
  callid: 'c-1',
  from: '00001105',
  to: '4833224455',
  mainchannel: 'SIP/1105-0001',
  route: 'local',
  audio_file: 'rec-2026-11-21.wav',
  audio_url: 'https://rec.example/listen',
  billsec: '48',
  duration: '70',
  callflow: {
    '1763719200.11': entry('1763719200.11', '4833224455'),
    '1763719200.10': entry('1763719200.10', '1105'),
  },
  customer: [{ phone: '4833224455' }],
  owner: [{ endpoint: '1105' }],
  request: { returnurl: 'https://relay.example/h/v1/SECRET' },
};
const v2 = {
  ...v1,
  billsec: '00:00:48',
  duration: '00:01:10',
  audio_url: 'https://rec.example/files/rec.wav?sig=1',
};

const readEnd = (body: unknown, reading: NotificationReading) => readNotification(body, reading) as EndFact;

describe('a hang-up notification', () => {
  it("gives the same details in v1 as in v2, except for the recording's address", () => {
    const first = readEnd(v1, { version: 'v1', at });
    const second = readEnd(v2, { version: 'v2', at });
    expect(first).toMatchObject({
      kind: 'hungUp',
      details: { talkSeconds: 48, totalSeconds: 70, callid: 'c-1' },
    });
    const same = (fact: typeof first) => ({ ...fact!.details, recordingUrl: '' });
    expect(same(first)).toEqual(same(second));
    expect(first!.details!.recordingUrl).toBe('https://rec.example/listen?id=c-1');
    expect(second!.details!.recordingUrl).toBe('https://rec.example/files/rec.wav?sig=1');
  });

  it('never lets the echoed returnurl through', () => {
    expect(JSON.stringify(readNotification(v1, { version: 'v1', at }))).not.toContain('SECRET');
  });

  it('gives the legs in the order in which the PBX created them', () => {
    const legs = readEnd(v1, { version: 'v1', at }).details!.legs!;
    expect(legs.map((leg) => leg.exten)).toEqual(['1105', '4833224455']);
    expect(legs[0]).not.toHaveProperty('callerName');
  });

  it('is read under the names that `map` set', () => {
    const map = { callid: 'external_id', billsec: 'talk', event: 'what', callflow: 'flow' } as const;
    expect(readNotification(applyFieldMap(v1, map), { version: 'v1', at, map })).toEqual(
      readNotification(v1, { version: 'v1', at }),
    );
  });

  it('is a lost call where any member says lost-call', () => {
    for (const body of [
      { event: 'lost-call', callid: 'c' },
      { event: 'hangup', status: 'lost-call' },
      { error: 'lost-call' },
    ])
      expect(readNotification(body, { version: 'v1', at })?.kind).toBe('lostCall');
  });

  it('tolerates what is missing, or numbers in place of strings', () => {
    expect(readNotification({ event: 'hangup' }, { version: 'v1', at })).toEqual({
      kind: 'hungUp',
      at,
      details: {},
    });
    expect(readNotification({ event: 'hangup', billsec: 5, callid: 9 }, { version: 'v1', at })).toMatchObject(
      {
        details: { talkSeconds: 5, callid: '9' },
      },
    );
  });

  it('names why the call ended, or who ended it, where the service says so', () => {
    expect(readEnd({ ...v1, reason: 'calleeBusy', ended_by: 'callee' }, { version: 'v1', at })).toMatchObject(
      {
        details: { reason: 'calleeBusy', endedBy: 'callee', talkSeconds: 48 },
      },
    );
    const cloud = readEnd({ ...v1, reason: 'bored', ended_by: 7 }, { version: 'v1', at });
    expect(cloud).toEqual(readEnd(v1, { version: 'v1', at }));
  });

  it('is rejected when it is no object or of another event', () => {
    for (const body of [null, [], 'hangup', 3, {}, { event: 'ringing' }, { event: 'held', party: 'caller' }])
      expect(readNotification(body, { version: 'v1', at })).toBeUndefined();
  });

  it('never throws, nor makes a Call that its own schema refuses, whatever arrives', () => {
    const call = newCall({ id: newCallId(), from: '1', to: '2', now: at });
    const anyField = fc.dictionary(
      fc.constantFrom(...Object.keys(v1), '__proto__', 'status', 'party', 'eventdate', 'reason', 'ended_by'),
      fc.oneof(fc.jsonValue(), fc.constantFrom('ringing', 'answer', 'unknown', 'callee', 'calleeBusy')),
    );
    fc.assert(
      fc.property(anyField, (body) => {
        const fact = readNotification(body, { version: 'v1', at });
        if (fact) expect(Call.safeParse(transition(call, fact)).success).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a notification of what comes before the end', () => {
  const event = { eventdate: '2026-11-21T10:00:03.000Z', callid: 'c-1', from: '1105', to: '48' };
  it.each([
    ['ringing', 'caller', 'ringing'],
    ['ringing', 'callee', 'ringing'],
    ['answer', 'caller', 'answered'],
    ['answer', 'callee', 'answered'],
  ])('%s of the %s is the fact %s at its own time', (name, party, kind) => {
    expect(readNotification({ ...event, event: name, party }, { version: 'v1', at })).toEqual({
      kind,
      party,
      at: event.eventdate,
      callid: 'c-1',
    });
  });

  it('says with "unknown" that the service lost the call', () => {
    expect(readNotification({ event: 'unknown' }, { version: 'v1', at })).toEqual({ kind: 'endUnknown', at });
  });

  it('is read under the names that `map` set', () => {
    const map = { callid: 'external_id', event: 'what' } as const;
    const body = applyFieldMap({ ...event, event: 'answer', party: 'callee' }, map);
    expect(readNotification(body, { version: 'v1', at, map })).toMatchObject({
      kind: 'answered',
      callid: 'c-1',
    });
  });
});

describe('billsec or duration', () => {
  it.each([
    ['0', 0],
    [48, 48],
    ['00:00:48', 48],
    ['01:02:03', 3723],
    ['100:00:00', 360000],
    ['', undefined],
    ['soon', undefined],
    [-3, undefined],
    [null, undefined],
    ['00:61:00', undefined],
  ])('%j is %j seconds', (value, seconds) => {
    expect(readSeconds(value)).toBe(seconds);
  });
});

describe('a recording address', () => {
  const audioFile = 'a.b/rec-1.wav';
  it.each([
    ['https://r.example/listen', 'https://r.example/listen?id=c-1'],
    ['https://r.example/listen?', 'https://r.example/listen?id=c-1'],
    ['https://r.example/listen?x=1', 'https://r.example/listen?x=1&id=c-1'],
    ['https://r.example/listen?id=', 'https://r.example/listen?id=c-1'],
    ['https://r.example/listen?x=1&', 'https://r.example/listen?x=1&id=c-1'],
    ['https://r.example/listen?id=known', 'https://r.example/listen?id=known'],
  ])('of v1, %s, becomes %s', (audioUrl, expected) => {
    expect(completeRecordingUrl({ audioUrl, audioFile, callid: 'c-1' }, 'v1')).toBe(expected);
  });

  it('of v1 falls back to the file name without its extension', () => {
    const fallback = 'https://r.example/l?id=a.b%2Frec-1';
    expect(completeRecordingUrl({ audioUrl: 'https://r.example/l', audioFile }, 'v1')).toBe(fallback);
    expect(
      completeRecordingUrl({ audioUrl: 'https://r.example/l', audioFile, callid: 'c' }, 'v1', 'audioFile'),
    ).toBe(fallback);
  });

  it('of v2 is used as it is', () => {
    expect(completeRecordingUrl({ audioUrl: 'https://r.example/f.wav', callid: 'c' }, 'v2')).toBe(
      'https://r.example/f.wav',
    );
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'rec.wav', '', '   '])(
    'that is not http is none: "%s"',
    (audioUrl) => {
      expect(completeRecordingUrl({ audioUrl, callid: 'c' }, 'v2')).toBeUndefined();
    },
  );
});
