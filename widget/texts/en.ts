/**
 * English, and the keys of every language. `{}` is the place of a number, time or name. All texts are in every page that embeds
 * the widget, in three languages: keep them short, and say what to do.
 */
export const en = {
  recent: 'Recent calls',
  none: 'No calls yet',
  loading: 'Connecting…',

  initiating: 'Calling {}…',
  callingCaller: 'Ringing your phone, then {}',
  talked: 'Talked for {}',
  noTalk: 'Ended without talking',
  callerNoAnswer: 'Lost call: your phone was not answered',
  failed: 'Not placed',
  notAnswered: 'May have rung',
  unknown: 'Its end was not reported',
  wait: 'The result comes when it has ended.',
  checkSettings: 'Wrong token or settings. Tell your administrator.',
  unreachable: 'The service cannot be reached. Try later.',
  checkNumber: 'The service refused. Check the number.',
  perhapsPlaced: 'Look at your phone before calling again.',

  started: 'Started',
  ended: 'Ended',
  talkTime: 'Talk time',
  totalTime: 'Total time',
  recording: 'Recording',
  recordingRefused: 'not a web address',
  recordingFailed: 'It cannot be played here.',
  flow: 'Way of the call',
  after: 'After',
  who: 'Who',
  state: 'State',

  setUp: 'Not set up: see the console.',
  unavailable: 'Not available now.',
  signedOut: 'Signed out. Sign in again.',
  unauthorized: 'No access. Tell your administrator.',
  offline: 'No connection. Calls go on.',
  notUnderstood: 'The relay’s answer is wrong. Tell your administrator.',
  retry: 'Try now',

  number: 'Number to call',
  call: 'Call',
  notANumber: 'Type a phone number.',
  emergency: 'Dial emergencies on your phone.',
  busy: 'A call is under way.',
  forbidden: 'You may not call this number here.',
  tooManyCalls: 'Too many calls. Wait a minute.',
};

export type Texts = Record<keyof typeof en, string>;
