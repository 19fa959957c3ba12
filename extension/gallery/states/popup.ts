import { ok, refuse } from '../../messages/result.ts';
import type { OwnState } from './page-state.ts';
import {
  answered,
  asks,
  broken,
  emptyView,
  history,
  judgedAbroad,
  known,
  knownStates,
  mayOverride,
  mayRing,
  notPlaced,
  overridable,
  panel,
  panelWith,
  ringing,
  sampleRefusal,
  shownTicket,
} from './samples.ts';
import { sheetStates } from './sheets.ts';
import { wrapUpStates } from './wrap-up.ts';

const dialSteps = [{ selector: '#dial-input', value: '+351 21 123 4567' }, { selector: '#dial-button' }];
export const popup: readonly OwnState[] = [
  {
    name: 'Empty: not set up',
    replies: () => {
      const { from: _, tab: __, ...rest } = panel({ problem: 'notConfigured', recent: [] });
      return { 'page.settings': ok(emptyView()), 'page.state': ok(rest) };
    },
  },
  { name: 'Filled' },
  {
    name: 'Other sites in the page',
    replies: () => ({ 'page.framesOnPage': ok(['mail.example.com', 'chat.example.net']) }),
  },
  {
    name: 'A number that is none, and an extension that the settings do not know',
    replies: () => ({ 'page.extensionOnPage': ok('Ramal 2201') }),
    steps: [{ selector: '.exclude-number' }],
  },
  { name: 'Ringing', replies: () => panelWith({ live: ringing(), follow: 'open' }) },
  { name: 'Answered', replies: () => panelWith({ live: answered() }) },
  { name: 'Not placed', replies: () => panelWith({ live: notPlaced() }) },
  { name: 'Outcome unknown', replies: () => panelWith({ live: mayRing(), follow: 'offline' }) },
  {
    name: 'Filled: a call opened, its recording played, asked to delete it',
    steps: [
      { selector: '#recent li:nth-child(2) summary' },
      { selector: '#recent li:nth-child(2) .play-recording' },
      { selector: '#recent li:nth-child(2) .delete-call' },
    ],
  },
  { name: 'Offline during a call', replies: () => panelWith({ live: ringing(), follow: 'offline' }) },
  { name: 'Key not accepted', replies: () => panelWith({ problem: 'wrongKey', follow: 'wrongKey' }) },
  {
    name: 'Permission missing, site not enabled',
    hasPermission: false,
    replies: () => {
      const tab = { id: 1, host: 'crm.example.com', site: 'default', marking: false } as const;
      return panelWith({ problem: 'noPermission', problemDetail: 'relay.example.com', tab });
    },
  },
  {
    name: 'Asks before the call',
    replies: () => ({
      ...panelWith({ tab: { ...panel().tab!, shown: shownTicket } }),
      'page.judge': ok(judgedAbroad()),
      'page.dial': asks(),
    }),
    steps: dialSteps,
  },
  {
    name: 'Error: the call was refused',
    replies: () => ({ 'page.judge': ok(judgedAbroad()), 'page.dial': sampleRefusal() }),
    steps: dialSteps,
  },
  {
    name: 'Asks for a reason to override a rule',
    replies: () => ({ 'page.dial': overridable(), 'page.knownNumbers': ok([mayOverride()]) }),
    steps: [...dialSteps, { selector: '#override-reason', value: 'Asked for a call by mail' }],
  },
  {
    name: 'Names: people found',
    steps: [{ selector: '#dial-input', value: 'ana p' }],
  },
  {
    name: 'Names: none found',
    replies: () => ({ 'page.findPeople': ok([]) }),
    steps: [{ selector: '#dial-input', value: 'zeca' }],
  },
  {
    name: 'Names: offline',
    replies: () => ({ 'page.findPeople': refuse('relayOffline') }),
    steps: [{ selector: '#dial-input', value: 'ana p' }],
  },
  {
    name: 'Names: searching',
    pending: ['page.findPeople'],
    steps: [{ selector: '#dial-input', value: 'ana p' }],
  },
  ...knownStates.map((name) => ({
    name: `Known number: ${name}`,
    replies: () => {
      const each = known()[name];
      return {
        ...panelWith({ live: { ...ringing(), name: each.name }, recent: history().slice(0, 3) }),
        'page.knownNumbers': ok(Array.from({ length: 9 }, () => each)),
      };
    },
    steps: [{ selector: '#dial-input', value: '48 3222-1000' }],
  })),
  ...wrapUpStates,
  ...sheetStates,
  { name: 'Loading the panel', pending: ['page.state'] },
  { name: 'Error in the panel', replies: () => ({ 'page.state': broken }) },
];
