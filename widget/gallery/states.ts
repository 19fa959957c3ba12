/** Every state of the widget, as input of its view. The times are fixed, so that screenshots do not change. */
import type { Call, CallErrorCode } from '../../shared/call/call.ts';
import type { WidgetConnection } from '../session/session.ts';
import type { DialModel } from '../view/view-model.ts';
import type { Fault } from '../widget-error.ts';

export const now = Date.parse('2026-11-21T14:35:20');

export interface GalleryState {
  name: string;
  calls?: readonly Call[];
  connection?: WidgetConnection;
  ready?: boolean;
  mode?: 'state' | 'dial';
  compact?: boolean;
  dial?: Partial<DialModel>;
  hangUpFault?: string;
}

let callCount = 0;
function call(minutesAgo: number, fields: Partial<Call>): Call {
  const createdAt = new Date(now - minutesAgo * 60_000).toISOString();
  return {
    id: `call-${callCount++}`,
    from: '1105',
    to: '4833224455',
    state: 'callingCaller',
    createdAt,
    revision: 1,
    ...fields,
  };
}
const finished = (minutesAgo: number, fields: Partial<Call> = {}) =>
  call(minutesAgo, {
    state: 'disconnected',
    reason: 'hangUp',
    startedAt: new Date(now - minutesAgo * 60_000).toISOString(),
    endedAt: new Date(now - minutesAgo * 60_000 + 140_000).toISOString(),
    talkSeconds: 125,
    totalSeconds: 140,
    ...fields,
  });
const failed = (
  minutesAgo: number,
  reason: NonNullable<Call['reason']>,
  code: CallErrorCode,
  fields: Partial<Call> = {},
) => call(minutesAgo, { state: 'failed', reason, error: { code, message: '' }, ...fields });

const live = call(0.2, {});
const connected = call(0.3, {
  state: 'connected',
  connectedAt: new Date(now - 12_000).toISOString(),
  canHangUp: true,
});
const recordingUrl = 'https://recordings.example/1763735720.41.mp3';
const legs = [
  {
    id: '1763735720.41',
    channel: 'PJSIP/1105-0000001a',
    state: 'Up',
    callerNumber: '1105',
    callerName: 'Ana Souza',
  },
  { id: '1763735732.42', channel: 'PJSIP/trunk-0000001b', state: 'Up', callerNumber: '4833224455' },
  {
    id: '1763735795.43',
    channel: 'PJSIP/1108-0000001c',
    state: 'Up',
    callerNumber: '1108',
    callerName: 'Bruno Lima',
  },
];
const past = [
  finished(24, { to: '11987654321', talkSeconds: 754, totalSeconds: 770 }),
  failed(37, 'callerNoAnswer', 'lostCall', { to: '2135551234' }),
  finished(52, { to: '48999998888', talkSeconds: 0, totalSeconds: 21 }),
];
const down = (fault: Fault): WidgetConnection => ({ name: 'down', fault });
const hostile = '<img src=x onerror=alert(1)>\u202Etxt.exe '.repeat(20);

export const widgetStates: readonly GalleryState[] = [
  { name: 'Loading', ready: false, connection: { name: 'connecting' } },
  { name: 'Empty' },
  { name: 'Placing the call', calls: [call(0, { state: 'initiating' })] },
  { name: 'Ringing, and what was before', calls: [live, ...past] },
  { name: 'Ringing at the number', calls: [call(0.2, { state: 'callingCallee', canHangUp: true })] },
  { name: 'Connected', calls: [connected, ...past] },
  { name: 'Hang-up not confirmed', calls: [connected], hangUpFault: connected.id },
  { name: 'Busy', calls: [finished(5, { reason: 'calleeBusy', endedBy: 'callee', talkSeconds: 0 })] },
  { name: 'The other side hung up', calls: [finished(5, { endedBy: 'callee' })] },
  { name: 'Your phone was busy', calls: [failed(5, 'callerBusy', 'lostCall', { endedBy: 'caller' })] },
  { name: 'Answered: recording and transfer', calls: [finished(5, { recordingUrl, legs }), ...past] },
  {
    name: 'Answered: channels without times',
    calls: [finished(5, { legs: legs.map((leg) => ({ ...leg, id: leg.channel })) })],
  },
  { name: 'Not answered', calls: [finished(5, { talkSeconds: 0 })] },
  { name: 'Missed call', calls: [failed(5, 'callerNoAnswer', 'lostCall')] },
  { name: 'Wrong token or settings', calls: [failed(5, 'refused', 'wrongToken')] },
  { name: 'Refused number', calls: [failed(5, 'refused', 'refusedByProvider')] },
  { name: 'Service unreachable', calls: [failed(5, 'notSent', 'unreachable')] },
  {
    name: 'May have rung',
    calls: [
      call(5, { state: 'unknown', reason: 'notAnswered', error: { code: 'connectionLost', message: '' } }),
    ],
  },
  { name: 'End not reported', calls: [call(300, { state: 'unknown', reason: 'other' })] },
  {
    name: 'Recording that may not be played inside',
    calls: [finished(5, { recordingUrl: 'http://pbx.example/1.mp3' })],
  },
  { name: 'Offline during a call', calls: [live], connection: down('offline') },
  { name: 'Signed out', ready: false, connection: down('signedOut') },
  { name: 'No access', ready: false, connection: down('unauthorized') },
  { name: 'Relay unavailable', ready: false, connection: down('unavailable') },
  { name: 'Not a relay', ready: false, connection: down('notUnderstood') },
  { name: 'Not set up', ready: false, connection: down('setUp') },
  { name: 'Dial', mode: 'dial' },
  { name: 'Dial: a number', mode: 'dial', dial: { typed: '(48) 3322-4455' }, calls: past.slice(0, 1) },
  { name: 'Dial: not a number', mode: 'dial', dial: { typed: 'abc', fault: 'notANumber' } },
  { name: 'Dial: not allowed', mode: 'dial', dial: { typed: '+870 773 123 456', fault: 'numberNotAllowed' } },
  {
    name: 'Dial: may have been placed',
    mode: 'dial',
    dial: { typed: '(48) 3322-4455', fault: 'perhapsPlaced' },
  },
  { name: 'Dial: a call is in progress', mode: 'dial', dial: { busy: true }, calls: [live] },
  { name: 'Dial: offline', mode: 'dial', dial: { busy: true }, connection: down('offline') },
  { name: 'Compact', compact: true, calls: [live] },
  { name: 'Compact, over', compact: true, calls: [finished(5)] },
  { name: 'Compact dial', compact: true, mode: 'dial' },
  {
    name: 'Hostile text',
    calls: [
      finished(5, {
        to: hostile,
        recordingUrl: 'javascript:alert(1)',
        legs: [{ id: hostile, callerName: hostile, state: hostile }],
      }),
    ],
  },
];
