/**
 * What the sandbox does with a call. The last four dialled digits choose it, as test cards choose a payment's fate. All
 * comes from this table: the service's behaviour, the demo's page of test lines and `docs/sandbox.md`.
 */

/** How `/call` is answered. */
type ReplyKind = 'trying' | 'lostCall' | 'refused' | 'reset' | 'htmlPage' | 'notJson';

export interface Scenario {
  name: string;
  /** The last digits of `to`. Empty: every number that no other scenario matches. */
  ending: string;
  title: string;
  /** One sentence: what the service does, for the table. */
  does: string;
  reply: ReplyKind;
  /**
   * Seconds until the reply, divided by `speed`. `timeout`: as long as the request's `timeout` lets the caller's phone
   * ring.
   */
  replyAfter: number | 'timeout';
  /** What is sent to `returnurl`, in this order. */
  notifications: readonly ('hangup' | 'lost-call')[];
  /** Set if the notification is delivered before the reply is sent. */
  notifiesFirst?: true;
  /** Seconds from the reply until the callee answers or gives up. */
  ringSeconds: number;
  /** Seconds of conversation: `billsec`. */
  talkSeconds: number;
  /** The last state that the callee's channel reports. */
  callee: 'Up' | 'Ringing' | 'Busy' | 'Down';
  /** Why the two did not talk, for requests with `events: "all"`, if the channel does not show it. */
  reason?: 'calleeRefused' | 'calleeUnknown';
  /** The extension to which the agent transfers the call, after half of the conversation. */
  transferTo?: string;
}

const usual = {
  reply: 'trying',
  replyAfter: 0,
  notifications: ['hangup'],
  ringSeconds: 2,
  talkSeconds: 4,
  callee: 'Up',
} as const;

/** @param changes to the usual call. */
function scenario<Name extends string>(
  name: Name,
  ending: string,
  title: string,
  does: string,
  changes: Partial<Scenario> = {},
): Scenario & { name: Name } {
  return { ...usual, ...changes, name, ending, title, does };
}

export const scenarios = [
  scenario('answered', '9001', 'Answered', 'The callee hangs up after 4 s of talk.'),
  scenario('longCall', '9002', 'Long call', 'The callee hangs up after 90 s of talk.', { talkSeconds: 90 }),
  scenario('noAnswer', '9003', 'No answer', '`hangup` after 8 s with `billsec` 0 and no recording.', {
    ringSeconds: 8,
    talkSeconds: 0,
    callee: 'Ringing',
  }),
  scenario(
    'busy',
    '9004',
    'Busy callee',
    '`hangup` after 2 s with `billsec` 0; only the callflow says `Busy`.',
    { talkSeconds: 0, callee: 'Busy' },
  ),
  scenario(
    'lostCallReply',
    '9005',
    'Lost call, in the reply',
    'The reply says `lost-call` after `timeout` seconds. No notification.',
    { reply: 'lostCall', replyAfter: 'timeout', notifications: [], talkSeconds: 0 },
  ),
  scenario(
    'lostCallNotification',
    '9006',
    'Lost call, in the notification',
    'The reply says `Trying`; after `timeout` seconds a notification says `lost-call`.',
    { notifications: ['lost-call'], talkSeconds: 0, callee: 'Ringing' },
  ),
  scenario(
    'transfer',
    '9007',
    'Transfer',
    'Handed to extension 2201 halfway through 8 s of talk: a callflow with four legs.',
    { talkSeconds: 8, transferTo: '2201' },
  ),
  scenario(
    'notificationFirst',
    '9008',
    'Notification before the reply',
    'A call of 1 s ends, and its notification arrives, before the reply `Trying`.',
    { notifiesFirst: true, ringSeconds: 1, talkSeconds: 1 },
  ),
  scenario(
    'notificationTwice',
    '9009',
    'Notification twice',
    'As answered, but the same notification comes twice.',
    { notifications: ['hangup', 'hangup'] },
  ),
  scenario('noNotification', '9010', 'No notification', 'As answered, but nothing is sent to `returnurl`.', {
    notifications: [],
  }),
  scenario('slowReply', '9011', 'Slow reply', 'The reply takes 8 s; then as answered.', { replyAfter: 8 }),
  scenario(
    'reset',
    '9012',
    'Connection reset',
    'The call is placed, but the connection is reset without a reply. The notification comes.',
    { reply: 'reset' },
  ),
  scenario(
    'htmlPage',
    '9013',
    'HTML error page',
    'A gateway answers 502 with a web page. No call, no notification.',
    { reply: 'htmlPage', notifications: [], talkSeconds: 0 },
  ),
  scenario(
    'notJson',
    '9014',
    'Not JSON',
    'The reply is 200 with plain text; the call is placed and its notification comes.',
    { reply: 'notJson' },
  ),
  scenario(
    'refused',
    '9015',
    'Refused',
    'A 422 in JSON says that this destination is not allowed. No call, no notification.',
    { reply: 'refused', notifications: [], talkSeconds: 0 },
  ),
  scenario(
    'declined',
    '9016',
    'Declined',
    '`hangup` after 2 s with `billsec` 0; the reason comes with `events: "all"` alone.',
    { talkSeconds: 0, callee: 'Ringing', reason: 'calleeRefused' },
  ),
  scenario(
    'unknownNumber',
    '9017',
    'Unknown number',
    '`hangup` after 1 s with `billsec` 0; the reason comes with `events: "all"` alone.',
    { ringSeconds: 1, talkSeconds: 0, callee: 'Down', reason: 'calleeUnknown' },
  ),
  scenario('anyOther', '', 'Any other number', 'As answered: 4 s of talk.'),
];

export type ScenarioName = (typeof scenarios)[number]['name'];

/** The scenario of a call to these digits. */
export function scenarioFor(to: string): Scenario {
  // The last entry's ending is empty, so that every number has a scenario.
  return scenarios.find(({ ending }) => to.endsWith(ending))!;
}

/** A valid number of São Paulo that has this scenario, as digits with the country code. */
export function numberFor(name: ScenarioName): string {
  const { ending } = scenarios.find((scenario) => scenario.name === name)!;
  return `55113350${ending === '' ? '4177' : ending}`;
}

/** The table of `docs/sandbox.md`. */
export const scenarioTable = (): string =>
  [
    '| ends in | scenario | what happens |',
    '| --- | --- | --- |',
    ...scenarios.map(({ ending, title, does }) => `| ${ending || 'any other'} | ${title} | ${does} |`),
  ].join('\n');
