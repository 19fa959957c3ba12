/**
 * The codes of what can go wrong between a click and a call. `error_<code>` in `_locales` is the sentence for each
 * code.
 */
export const errorCodes = [
  'notConfigured', // nothing to call with: no relay or service address, no agent, no key or token
  'otherAddress', // key or token were saved for another address than the one that is set
  'chooseExtension', // the agent key is for several agents; `detail` is their codes as words
  'wrongKey', // the relay does not accept the agent key
  'relayUnreachable',
  'hangUpFailed', // the call may go on: its end is not confirmed
  'relayOffline', // no answer about something else than a call to be placed
  'relayRefused', // the relay answered with a problem; `detail` is a sentence that says which
  'outdated', // somebody else changed it first: the change was not saved
  'insecure', // plain http without the deliberate yes
  'noPermission', // the browser was not allowed to reach that address
  'notANumber',
  'refusedByGuard', // `detail` is the guard's reason
  'confirmFirst', // the guard asks; `detail` is its reason: ask the agent in our own UI, then send `confirmed: true`
  'confirmElsewhere', // a costly number clicked in a page: our call page was opened to ask
  'callInProgress', // `detail`: seconds until the agent may try again, where that is known
  'coolDown',
  'numberChanged', // what is on the page is not what the agent saw
  'notAllowedHere', // a page or frame that is not enabled, or a message that is not ours
  'unreadable', // a page that the browser lets no extension read: its store, an error page, Firefox's PDF viewer
  'sheetGone', // the call sheet was deleted
  'tooManySites', // a list of sites has no room for what was to be turned on or off
  'badMessage',
  'storageFailed', // our database cannot be opened or written: in most cases the disk is full
  'callNotStored', // our database failed after the click was written down: the phone may ring
  'internal',
] as const;
export type ErrorCode = (typeof errorCodes)[number];
