import { ok } from '../../messages/result.ts';
import { text } from '../../text.ts';
import type { OwnState } from './page-state.ts';
import {
  answered,
  broken,
  call,
  calledAgo,
  judged,
  judgedAbroad,
  known,
  knownStates,
  mayOverride,
  overridable,
  panelWith,
  ringing,
  sampleRefusal,
} from './samples.ts';

export const callPage: readonly OwnState[] = [
  { name: 'Empty: no number' },
  { name: 'Filled', ...call },
  {
    name: 'About a record',
    query: { ...call.query, r: JSON.stringify({ system: 'rt', kind: 'ticket', id: '4711' }) },
  },
  {
    name: 'Empty: not set up',
    replies: () => panelWith({ problem: 'notConfigured', recent: [] }),
    ...call,
  },
  {
    name: 'Permission missing',
    hasPermission: false,
    replies: () => panelWith({ problem: 'noPermission', problemDetail: 'relay.example.com' }),
    ...call,
  },
  {
    name: 'A number abroad',
    replies: () => ({ 'page.judge': ok(judgedAbroad()) }),
    query: { u: 'tel:+351211234567' },
  },
  ...knownStates.map((name) => ({
    name: `Known number: ${name}`,
    replies: () => ({ 'page.knownNumbers': ok([known()[name]]) }),
    ...call,
  })),
  { name: 'Not a number', replies: () => ({ 'page.judge': ok(null) }), query: { u: 'tel:hello' } },
  {
    name: 'Refused by the guard',
    replies: () => ({
      'page.judge': ok({ ...judged, verdict: 'refuse', reason: text('guard_officeHours') }),
    }),
    ...call,
  },
  {
    name: 'Asks before the call',
    replies: () => ({ 'page.dial': calledAgo() }),
    ...call,
    steps: [{ selector: '#call-button' }],
  },
  {
    name: 'Offline: the relay is not reached',
    replies: () => ({ 'page.dial': sampleRefusal() }),
    ...call,
    steps: [{ selector: '#call-button' }],
  },
  {
    name: 'Asks for a reason to override a rule',
    replies: () => ({ 'page.dial': overridable(), 'page.knownNumbers': ok([mayOverride()]) }),
    ...call,
    steps: [{ selector: '#call-button' }],
  },
  {
    name: 'Ended',
    replies: () => {
      // The call that the click places is the one that has ended.
      const { id } = ringing();
      return panelWith({ live: { ...answered(), id, hasWrapUp: true } });
    },
    ...call,
    steps: [{ selector: '#call-button' }],
  },
  {
    name: 'Ringing',
    replies: () => panelWith({ live: ringing(), follow: 'open' }),
    ...call,
    steps: [{ selector: '#call-button' }],
  },
  { name: 'Loading the number', pending: ['page.judge'], ...call },
  { name: 'Error of the number', replies: () => ({ 'page.judge': broken }), ...call },
];
