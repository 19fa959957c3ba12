/**
 * What the sandbox does with a call, chosen by the last four digits dialled, as test cards choose a payment's fate. This table
 * is the only place: the service acts by it, the demo's page of test lines and `docs/sandbox.md` are made from it.
 */

/** How `/call` is answered. */
type ReplyKind = 'trying' | 'lostCall' | 'refused' | 'reset' | 'htmlPage' | 'notJson';

export interface Scenario {
  name: string;
  /** Last digits of `to`. Empty: every number that no other ending matches. */
  ending: string;
  title: string;
  /** One sentence: what the service does, for the table. */
  does: string;
  reply: ReplyKind;
  /** Seconds until the reply, divided by `speed`; `timeout`: as long as the request's `timeout` allows the caller. */
  replyAfter: number | 'timeout';
  /** What is sent to `returnurl`, in this order. */
  notifications: readonly ('hangup' | 'lost-call')[];
  /** The notification is delivered before the reply is sent. */
  notifiesFirst?: true;
  /** Seconds from the reply until the callee answers or gives up. */
  ringSeconds: number;
  /** Seconds of conversation: `billsec`. */
  talkSeconds: number;
  /** What the callee's channel reports last. */
  callee: 'Up' | 'Ringing' | 'Busy' | 'Down';
  /** Why there was no talk, for those who asked for `events: "all"`, where the channel does not say it. */
  reason?: 'calleeRefused' | 'calleeUnknown';
  /** Extension that the agent hands the call to, after half of the conversation. */
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

export const scenarios = [
  {
    ...usual,
    name: 'answered',
    ending: '9001',
    title: 'Answered',
    does: 'The callee answers and hangs up after 4 s of talk.',
  },
  {
    ...usual,
    name: 'longCall',
    ending: '9002',
    title: 'Long call',
    does: 'The callee answers and talks for 90 s.',
    talkSeconds: 90,
  },
  {
    ...usual,
    name: 'noAnswer',
    ending: '9003',
    title: 'No answer',
    does: 'The callee never answers: `hangup` after 8 s with `billsec` 0 and no recording.',
    ringSeconds: 8,
    talkSeconds: 0,
    callee: 'Ringing',
  },
  {
    ...usual,
    name: 'busy',
    ending: '9004',
    title: 'Busy callee',
    does: 'The callee is busy: `hangup` after 2 s with `billsec` 0; only the callflow says `Busy`.',
    talkSeconds: 0,
    callee: 'Busy',
  },
  {
    ...usual,
    name: 'lostCallReply',
    ending: '9005',
    title: 'Lost call, in the reply',
    does: 'The agent does not answer: the reply is held for `timeout` seconds and then says `lost-call`. No notification.',
    reply: 'lostCall',
    replyAfter: 'timeout',
    notifications: [],
    talkSeconds: 0,
  },
  {
    ...usual,
    name: 'lostCallNotification',
    ending: '9006',
    title: 'Lost call, in the notification',
    does: 'The reply says `Trying`, the agent does not answer: after `timeout` seconds a notification says `lost-call`.',
    notifications: ['lost-call'],
    talkSeconds: 0,
    callee: 'Ringing',
  },
  {
    ...usual,
    name: 'transfer',
    ending: '9007',
    title: 'Transfer',
    does: 'Answered, then handed to extension 2201 halfway through 8 s of talk: a callflow with four legs.',
    talkSeconds: 8,
    transferTo: '2201',
  },
  {
    ...usual,
    name: 'notificationFirst',
    ending: '9008',
    title: 'Notification before the reply',
    does: 'A call of 1 s is over, and its notification delivered, before `/call` is answered with `Trying`.',
    notifiesFirst: true,
    ringSeconds: 1,
    talkSeconds: 1,
  },
  {
    ...usual,
    name: 'notificationTwice',
    ending: '9009',
    title: 'Notification twice',
    does: 'As answered, but the same notification is delivered two times.',
    notifications: ['hangup', 'hangup'],
  },
  {
    ...usual,
    name: 'noNotification',
    ending: '9010',
    title: 'No notification',
    does: 'As answered, but nothing is ever sent to `returnurl`.',
    notifications: [],
  },
  {
    ...usual,
    name: 'slowReply',
    ending: '9011',
    title: 'Slow reply',
    does: 'The reply takes 8 s; then as answered.',
    replyAfter: 8,
  },
  {
    ...usual,
    name: 'reset',
    ending: '9012',
    title: 'Connection reset',
    does: 'The request is read whole and the call placed, but the connection is reset without a reply. The notification comes.',
    reply: 'reset',
  },
  {
    ...usual,
    name: 'htmlPage',
    ending: '9013',
    title: 'HTML error page',
    does: 'A gateway answers 502 with a web page. No call, no notification.',
    reply: 'htmlPage',
    notifications: [],
    talkSeconds: 0,
  },
  {
    ...usual,
    name: 'notJson',
    ending: '9014',
    title: 'Not JSON',
    does: 'The reply is 200 with plain text; the call is placed and its notification comes.',
    reply: 'notJson',
  },
  {
    ...usual,
    name: 'refused',
    ending: '9015',
    title: 'Refused',
    does: 'A 422 in JSON says that this destination is not allowed. No call, no notification.',
    reply: 'refused',
    notifications: [],
    talkSeconds: 0,
  },
  {
    ...usual,
    name: 'declined',
    ending: '9016',
    title: 'Declined',
    does: 'The callee declines: `hangup` after 2 s with `billsec` 0; that it was declined is reported with `events: "all"` alone.',
    talkSeconds: 0,
    callee: 'Ringing',
    reason: 'calleeRefused',
  },
  {
    ...usual,
    name: 'unknownNumber',
    ending: '9017',
    title: 'Unknown number',
    does: 'The network does not know the number: `hangup` after 1 s with `billsec` 0; the reason is reported with `events: "all"` alone.',
    ringSeconds: 1,
    talkSeconds: 0,
    callee: 'Down',
    reason: 'calleeUnknown',
  },
  {
    ...usual,
    name: 'anyOther',
    ending: '',
    title: 'Any other number',
    does: 'As answered: 4 s of talk.',
  },
] as const satisfies readonly Scenario[];

export type ScenarioName = (typeof scenarios)[number]['name'];

/** What will happen to a call to these digits. */
export function scenarioFor(to: string): Scenario {
  // The last entry's ending is empty: every number has a scenario.
  return scenarios.find(({ ending }) => to.endsWith(ending))!;
}

/** A valid number of São Paulo that meets a scenario, as digits with the country code. */
export function numberFor(name: ScenarioName): string {
  const { ending } = scenarios.find((scenario) => scenario.name === name)!;
  return `55113350${ending === '' ? '4177' : ending}`;
}

/** The table of `docs/sandbox.md`. */
export function scenarioTable(): string {
  const rows = scenarios.map(
    ({ name, ending, title, does }) =>
      `| ${ending === '' ? 'any other' : `…${ending}`} | \`${numberFor(name)}\` | ${title} | ${does} |`,
  );
  return ['| ends in | for example | scenario | what happens |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}
