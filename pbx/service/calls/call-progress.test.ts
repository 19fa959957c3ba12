import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AmiPacket } from '../ami/ami-packets.ts';
import type { CallProgress } from './call-channels.ts';
import { talkSeconds } from './call-end.ts';
import { advance, newProgress, resume } from './call-progress.ts';

const folder = new URL('./recorded/', import.meta.url);

interface Recorded {
  progress: CallProgress;
  events: AmiPacket[];
}

/** The AMI events of one recorded call; see the head of each file for its Originate. */
function recorded(name: string): Recorded {
  const text = readFileSync(new URL(`${name}.txt`, folder), 'utf8');
  const originate = JSON.parse(/>> Originate (\{.*\})/.exec(text)![1]!) as AmiPacket;
  const events = [...text.matchAll(/^ *[\d.]+ \w+ (\{.*"Event".*\})$/gm)].map(
    ([, json]) => JSON.parse(json!) as AmiPacket,
  );
  return { progress: newProgress(originate.ChannelId!, originate.ActionID!), events };
}

const played = ({ progress, events }: Recorded) =>
  events.reduce((state, event) => advance(state, event, 1), progress);

describe('advance', () => {
  it.each([
    ['callee-hangs-up', { reason: 'hangUp', endedBy: 'callee' }, 3, ['caller', 'callee']],
    ['caller-hangs-up', { reason: 'hangUp', endedBy: 'caller' }, 4, ['caller', 'callee']],
    ['api-hangup', { reason: 'hangUp', endedBy: 'system' }, 3, ['caller', 'callee']],
    ['agent-gives-up', { reason: 'hangUp', endedBy: 'caller' }, 0, ['caller']],
    ['agent-no-answer', { reason: 'callerNoAnswer', endedBy: 'system' }, 0, []],
    ['agent-phone-off', { reason: 'callerNoAnswer', endedBy: 'system' }, 0, []],
    ['agent-busy', { reason: 'callerBusy', endedBy: 'caller' }, 0, []],
    ['agent-declines', { reason: 'callerRefused', endedBy: 'caller' }, 0, []],
    ['agent-unregistered', { reason: 'callerFailure' }, 0, []],
    ['callee-busy', { reason: 'calleeBusy', endedBy: 'callee' }, 0, ['caller']],
    ['callee-declines', { reason: 'calleeRefused', endedBy: 'callee' }, 0, ['caller']],
    ['callee-invalid', { reason: 'calleeUnknown', endedBy: 'callee' }, 0, ['caller']],
    ['callee-no-answer', { reason: 'calleeNoAnswer', endedBy: 'system' }, 0, ['caller']],
    ['blind-transfer', { reason: 'hangUp', endedBy: 'callee' }, 4, ['caller', 'callee']],
    // The agent asks a colleague during the call, who leaves, and talks on with the callee.
    ['consulted-hangs-up', { reason: 'hangUp', endedBy: 'caller' }, 6, ['caller', 'callee']],
    ['consulted-declines', { reason: 'hangUp', endedBy: 'caller' }, 5, ['caller', 'callee']],
    ['connection-lost', { reason: 'hangUp', endedBy: 'callee' }, 8, ['caller', 'callee']],
    // The agent's phone behind a channel of `Local/…`, twice with a second one between, as of follow-me.
    ['local-callee-hangs-up', { reason: 'hangUp', endedBy: 'callee' }, 3, ['caller', 'callee']],
    ['local-twice-caller-hangs-up', { reason: 'hangUp', endedBy: 'caller' }, 3, ['caller', 'callee']],
    ['local-callee-busy', { reason: 'calleeBusy', endedBy: 'callee' }, 0, ['caller']],
    ['local-agent-busy', { reason: 'callerBusy', endedBy: 'caller' }, 0, []],
    ['local-agent-no-answer', { reason: 'callerNoAnswer', endedBy: 'system' }, 0, []],
  ] as const)('reads %s from the events recorded of it', (name, end, talk, answered) => {
    const progress = played(recorded(name));
    expect(progress.end).toMatchObject(end);
    expect(talkSeconds(progress)).toBe(talk);
    expect(Object.keys(progress.answered)).toEqual(answered);
  });

  it.each(['asterisk-killed', 'connection-lost-ended'])(
    'gives %s no end, since none was reported',
    (name) => {
      expect(played(recorded(name)).end).toBeUndefined();
    },
  );

  it('gives an answered call a second of talk, however short it was', () => {
    const ended = played(recorded('callee-hangs-up'));
    const short = { ...ended, end: { ...ended.end!, at: ended.answered.callee! + 200 } };
    expect(talkSeconds(short)).toBe(1);
  });

  it.each([
    ['caller-hangs-up', { reason: 'hangUp', endedBy: 'caller' }, 4],
    ['callee-busy', { reason: 'calleeBusy', endedBy: 'callee' }, 0],
    ['agent-gives-up', { reason: 'hangUp', endedBy: 'caller' }, 0],
  ] as const)('reads %s where the first trunk failed', (name, end, talk) => {
    const { progress, events } = recorded(name);
    const first = { Uniqueid: 'first-trunk', Linkedid: progress.channelId, ChannelStateDesc: 'Down' };
    const calleeAt = events.findIndex(
      ({ Event, Uniqueid }) => Event === 'Newchannel' && Uniqueid !== progress.channelId,
    );
    const failed = [
      { ...first, Event: 'Newchannel' },
      { ...first, Event: 'HangupRequest', Cause: '38' },
      { ...first, Event: 'Hangup', Cause: '38' },
    ];
    const ended = played({ progress, events: events.toSpliced(calleeAt, 0, ...failed) });
    expect(ended.end).toMatchObject(end);
    expect(talkSeconds(ended)).toBe(talk);
  });

  it('names no callee where the dialplan ends without a dial', () => {
    const { progress, events } = recorded('callee-no-answer');
    const { channelId } = progress;
    // As of Congestion, Busy, or a last step, with Asterisk 16.28.
    const own = events
      .filter(({ Uniqueid = channelId }) => Uniqueid === channelId)
      .map((event) => (event.Event === 'Hangup' ? { ...event, Cause: '0' } : event));
    expect(played({ progress, events: own }).end).toMatchObject({ reason: 'hangUp', endedBy: 'system' });
  });

  it('does not know the end where the phone of the agent redirects the call', () => {
    const { progress, events } = recorded('agent-declines');
    const { channelId } = progress;
    const sentOn = {
      Event: 'DialEnd',
      DestUniqueid: channelId,
      DestLinkedid: channelId,
      Forward: 'ctx/2000',
    };
    const at = events.findIndex(({ Event }) => Event === 'Hangup');
    expect(played({ progress, events: events.toSpliced(at, 0, sentOn) }).isIncomplete).toBe(true);
  });

  it.each(['before', 'after'])(
    'leaves the end to others where the agent hangs up %s AttendedTransfer',
    (when) => {
      const { progress, events } = recorded('callee-hangs-up');
      const both = { OrigTransfererUniqueid: progress.channelId, SecondTransfererUniqueid: 'second' };
      const transfer = { Event: 'AttendedTransfer', Result: 'Success', ...both };
      const request = (Uniqueid: string) => ({
        Event: 'HangupRequest',
        Uniqueid,
        Linkedid: progress.channelId,
      });
      const asked = [request(progress.channelId), request('second')];
      const left = when === 'before' ? [...asked, transfer] : [transfer, ...asked];
      const gone = [{ ...asked[0]!, Event: 'Hangup', Cause: '16' }];
      const at = events.findIndex(({ Event }) => Event === 'HangupRequest');
      const ended = played({ progress, events: events.toSpliced(at, 0, ...left, ...gone) });
      expect(ended.end).toMatchObject({ reason: 'hangUp', endedBy: 'callee' });
    },
  );

  it('keeps the end, whatever comes after it', () => {
    const call = recorded('callee-hangs-up');
    const ended = played(call);
    expect(call.events.reduce((state, event) => advance(state, event, 2), ended)).toBe(ended);
  });

  it('reads the same end where OriginateResponse comes last', () => {
    for (const name of ['agent-busy', 'agent-no-answer', 'callee-busy']) {
      const call = recorded(name);
      const isResponse = (event: AmiPacket) => event.Event === 'OriginateResponse';
      const late = [...call.events.filter((event) => !isResponse(event)), ...call.events.filter(isResponse)];
      expect(played({ ...call, events: late }).end).toMatchObject({ reason: played(call).end!.reason });
    }
  });

  it('ignores the events of other calls', () => {
    const busy = recorded('callee-busy');
    const { progress } = recorded('callee-hangs-up');
    expect(busy.events.reduce((state, event) => advance(state, event, 1), progress)).toBe(progress);
  });

  it('takes nothing from a duplicate Originate that carries the id of the live call', () => {
    const { progress } = recorded('callee-hangs-up');
    const duplicate = {
      Event: 'OriginateResponse',
      ActionID: 'another',
      Response: 'Failure',
      Reason: '0',
      Uniqueid: progress.channelId,
    };
    expect(advance(progress, duplicate, 1)).toBe(progress);
  });

  it('names all sixteen callflow fields of both channels', () => {
    const { channels } = played(recorded('callee-hangs-up'));
    expect(Object.values(channels)).toHaveLength(2);
    for (const entry of Object.values(channels)) {
      expect(Object.keys(entry)).toHaveLength(16);
      expect(entry).toMatchObject({
        event: 'Newchannel',
        channelstatedesc: 'Up',
        linkedid: 'c2c-ami-callee-hangs-up',
      });
    }
  });

  it('finds the recording by the variable that MixMonitor sets', () => {
    expect(played(recorded('callee-hangs-up')).recordingFile).toBe('@STATE@/rec/c2c-ami-callee-hangs-up.wav');
  });

  it('reads every recorded file', () => {
    const calls = readdirSync(folder).filter(
      (name) => name !== 'idempotency.txt' && name !== 'callee-not-in-dialplan.txt',
    );
    expect(calls).toHaveLength(24);
  });
});

describe('resume', () => {
  const { progress, events } = recorded('callee-hangs-up');
  const ups = events.filter(
    ({ Event, ChannelStateDesc }) => Event === 'Newstate' && ChannelStateDesc === 'Up',
  );
  const status = ups.map((event) => ({ ...event, Event: 'Status' }));
  const hangups = events.filter(({ Event }) => Event === 'Hangup');
  const endOf = (state: CallProgress) => hangups.reduce((one, event) => advance(one, event, 1), state);

  it('takes a live call up from the list of channels', () => {
    const resumed = resume(progress, status, 1);
    expect(Object.keys(resumed.answered)).toEqual(['caller', 'callee']);
    expect(endOf(resumed)).toMatchObject({ end: { reason: 'hangUp' } });
    expect(endOf(resumed).isIncomplete).toBeUndefined();
  });

  it('marks a call incomplete whose callee is gone', () => {
    const both = ups.reduce((state, event) => advance(state, event, 1), progress);
    expect(resume(both, status.slice(0, 1), 1).isIncomplete).toBe(true);
  });

  it('marks a call incomplete whose callee may have come, then gone', () => {
    expect(resume(progress, status.slice(0, 1), 1).isIncomplete).toBe(true);
  });

  it('misses nothing of a channel that had hung up before the connection broke', () => {
    const trunk = { Uniqueid: 'first-trunk', Linkedid: progress.channelId, Cause: '38' };
    const seen = [
      { ...trunk, Event: 'Newchannel' },
      { ...trunk, Event: 'Hangup' },
      ...ups,
    ] satisfies AmiPacket[];
    const before = seen.reduce((state, event) => advance(state, event, 1), progress);
    const resumed = resume(before, status, 2);
    expect(resumed.hungUp).toEqual({ 'first-trunk': 38 });
    expect(resumed.isIncomplete).toBeUndefined();
    expect(endOf(resumed).end).toMatchObject({ reason: 'hangUp' });
  });
});
