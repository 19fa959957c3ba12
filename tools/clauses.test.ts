/**
 * The calling service's interface, clause by clause: where each lives in the code, and the test that holds it.
 *
 * `ours` holds our own service on Asterisk (`pbx/service/`) to the clause. The tests of
 * `testing/service/service-contract.ts` run against it at real phones, and against the sandbox alike.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../testing/child.ts';

/** A file, and a part of a title in it. */
type Held = readonly [file: string, title: string];

interface Clause {
  clause: string;
  says: string;
  code: readonly string[];
  test: Held;
  /** Absent where the clause is not about a service, or not about ours. */
  ours?: Held;
}

const clauses: readonly Clause[] = [
  {
    clause: '1',
    says: 'cloud primary and secondary, and the local PBX at port 3000',
    code: ['relay/dial/dial-with-failover.ts', 'extension/background/calls/route.ts'],
    test: ['e2e/every-mode.test.ts', 'through the relay'],
    ours: [
      'pbx/service/settings.test.ts',
      'listens on loopback at the port of the local mode where nothing is set',
    ],
  },
  {
    clause: '1',
    says: 'the secondary address only where nothing left for the primary',
    code: ['relay/dial/send-once.ts'],
    test: [
      'relay/dial/dial-with-failover.test.ts',
      'when the primary is refused, then the secondary fails by: %s',
    ],
  },
  {
    clause: '2.1',
    says: 'every field of the request, strict in what goes out',
    code: ['shared/service/request.ts'],
    test: ['shared/service/request.test.ts', 'is rejected where it differs from the interface'],
    ours: ['testing/service/service-contract.ts', 'refuses %s = %j with the name of the field'],
  },
  {
    clause: '2.1',
    says: 'no field that the interface does not name',
    code: ['shared/service/request.ts'],
    test: ['shared/service/request.test.ts', 'is rejected with a field that the interface does not name'],
    ours: ['testing/service/service-contract.ts', 'names every field that is wrong, not only the first'],
  },
  {
    clause: '2.1',
    says: 'force_from: without it the origin is 0000 and the extension',
    code: ['shared/service/outgoing-notification.ts'],
    test: ['testing/service/service-contract.ts', 'shows the origin without 0000 where force_from asks so'],
    ours: ['testing/service/service-contract.ts', 'shows the origin without 0000 where force_from asks so'],
  },
  {
    clause: '2.1',
    says: 'map renames fields of the notification; undone on arrival',
    code: ['shared/service/field-map.ts'],
    test: ['shared/service/field-map.test.ts', 'is undone to the original notification, whatever it renamed'],
    ours: ['testing/service/service-contract.ts', 'has the names that map gives, by %s'],
  },
  {
    clause: '2.1',
    says: "returnurl of one's own system: the relay forwards what came, signed and retried",
    code: ['relay/forward/forwarder.ts'],
    test: ['relay/forward/forward.test.ts', 'is what came, without the capability, signed with both secrets'],
  },
  {
    clause: '2.2',
    says: 'the reply: OK, Trying, message and callid',
    code: ['shared/service/reply.ts'],
    test: ['shared/service/reply.test.ts', 'with OK is an accepted call with its id'],
    ours: ['testing/service/service-contract.ts', 'gives each call an id of its own'],
  },
  {
    clause: '2.3',
    says: 'every field of the notification',
    code: ['shared/service/notification.ts'],
    test: ['testing/service/service-contract.ts', 'has every field of the interface, v1'],
    ours: ['testing/service/service-contract.ts', 'has every field of the interface, v1'],
  },
  {
    clause: '2.3',
    says: 'missing and unknown members, numbers as numbers or strings',
    code: ['shared/service/notification.ts'],
    test: [
      'shared/service/notification.test.ts',
      'tolerates what is missing, or numbers in place of strings',
    ],
  },
  {
    clause: '2.3',
    says: 'callflow: an object of channels, into ordered legs',
    code: ['shared/service/callflow.ts'],
    test: [
      'shared/service/notification.test.ts',
      'gives the legs in the order in which the PBX created them',
    ],
    ours: ['pbx/service/calls/call-progress.test.ts', 'names all sixteen callflow fields of both channels'],
  },
  {
    clause: '2.3',
    says: 'request echoes the returnurl; it never leaves the relay',
    code: ['shared/service/notification.ts'],
    test: ['shared/service/notification.test.ts', 'never lets the echoed returnurl through'],
    ours: ['testing/service/service-contract.ts', 'has every field of the interface, v1'],
  },
  {
    clause: '3',
    says: 'Trying, then hangup; nothing between, so never "connected"',
    code: ['shared/call/transition.ts'],
    test: ['shared/call/transition.test.ts', 'shows connected only after the callee answered'],
    ours: ['pbx/phones/cases.test.ts', 'reports that $name'],
  },
  {
    clause: '4.1',
    says: 'POST with JSON and the two headers',
    code: ['shared/service/request.ts'],
    test: ['shared/service/request.test.ts', 'is JSON with exactly the documented fields'],
    ours: ['testing/service/service-contract.ts', 'refuses another content type'],
  },
  {
    clause: '4.1',
    says: 'GET with the same fields as query',
    code: ['shared/service/request.ts'],
    test: ['shared/service/request.test.ts', 'has the same fields as query parameters without a body'],
    ours: ['testing/service/service-contract.ts', 'refuses a field that comes twice in the query'],
  },
  {
    clause: '4.1',
    says: 'the notification goes to returnurl after hang-up',
    code: ['relay/routes/store-notification.ts'],
    test: ['relay/system/relay.test.ts', 'ends the call once, however often it is repeated'],
    ours: [
      'pbx/service/notify/notifier.test.ts',
      'waits longer after each failure until it gives up after a day',
    ],
  },
  {
    clause: '4.1',
    says: 'timeout: the caller does not answer, a lost call',
    code: ['shared/service/reply.ts'],
    test: ['sandbox/service.test.ts', 'lost call in the reply, held for the timeout'],
    ours: ['pbx/phones/cases.test.ts', 'reports an agent whose phone is off as a lost call'],
  },
  {
    clause: '4.2',
    says: 'steps 1 and 4: the record on the PBX',
    code: ['registration/database-record.ts'],
    test: [
      'registration/database.test.ts',
      'writes keys, flag, consumer after showing them masked for a yes',
    ],
  },
  {
    clause: '4.2',
    says: 'steps 2 and 3: the login',
    code: ['shared/registration/login.ts'],
    test: [
      'shared/registration/login.test.ts',
      'posts the three documented fields to the documented path; the result holds no token',
    ],
  },
  {
    clause: '4.2',
    says: "step 5: cookies and site data of the PBX's address",
    code: ['extension/pages/registration/clear-site-data.ts'],
    test: ['e2e/registration.spec.ts', 'clears cookies or site data'],
  },
  {
    clause: '5',
    says: 'header, JSON key or query parameter',
    code: ['shared/service/request.ts'],
    test: [
      'shared/service/request.test.ts',
      'carries the token in the body or the query where asked, in one place only',
    ],
    ours: ['testing/service/service-contract.ts', 'with the token in the'],
  },
  {
    clause: '6',
    says: 'one event, only where returnurl was given',
    code: ['sandbox/service.ts'],
    test: ['sandbox/service.test.ts', 'no notification'],
    ours: ['testing/service/service-contract.ts', 'goes nowhere without a returnurl'],
  },
  {
    clause: '7',
    says: 'lost-call, wherever it appears',
    code: ['shared/service/reply.ts'],
    test: ['shared/service/reply.test.ts', 'with lost-call in any member is an unanswered caller'],
    ours: ['testing/service/service-contract.ts', 'names a lost call where the caller does not answer'],
  },
  {
    clause: '8',
    says: 'the default timeout of 12 seconds',
    code: ['shared/service/request.ts'],
    test: ['sandbox/service.test.ts', 'lost call in the notification'],
    ours: ['pbx/service/calls/call-originator.test.ts', 'writes the call down before Originate is sent'],
  },
  {
    clause: '9',
    says: 'billsec and duration in seconds or as a clock',
    code: ['shared/service/notification.ts'],
    test: ['shared/service/notification.test.ts', 'gives the same details in v1 as in v2'],
    ours: ['testing/service/service-contract.ts', 'has clock times in v2'],
  },
  {
    clause: '9',
    says: 'audio_url: a base to complete in v1, whole in v2',
    code: ['shared/service/recording.ts'],
    test: ['shared/service/notification.test.ts', 'of v1 falls back to the file name without its extension'],
    ours: ['testing/service/service-contract.ts', 'leads to the recording in %s'],
  },
  {
    clause: '1 to 9',
    says: 'every mode in one table, relay and direct',
    code: ['relay/dial/dial-with-failover.ts', 'extension/background/calls/send-once-directly.ts'],
    test: ['e2e/every-mode.test.ts', 'directly, followed by a relay'],
  },
];

describe('the interface of the calling service', () => {
  it('has a clause for every section that says something', () => {
    const sections = new Set(clauses.map(({ clause }) => clause.split('.')[0]));
    for (const section of ['1', '2', '3', '4', '5', '6', '7', '8', '9']) expect(sections).toContain(section);
  });

  it('holds our own service to every section that says what a service does', () => {
    const held = clauses.filter(({ ours }) => ours !== undefined).map(({ clause }) => clause);
    for (const clause of ['1', '2.1', '2.2', '2.3', '3', '4.1', '5', '6', '7', '8', '9'])
      expect(held).toContain(clause);
  });

  it.each(clauses.map((each) => [`${each.clause}: ${each.says}`, each] as const))(
    '%s: names code with a test that exists',
    (_name, { code, test, ours }) => {
      for (const file of code) expect(existsSync(path.join(root, file)), file).toBe(true);
      for (const [file, title] of ours ? [test, ours] : [test])
        expect(readFileSync(path.join(root, file), 'utf8')).toContain(title);
    },
  );
});
