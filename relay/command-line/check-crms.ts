/**
 * The part of `check` that reads the rules, and asks each CRM who the relay is there and what it may do. Only
 * `checkEntry` writes.
 */
import { newCall, newCallId } from '../../shared/call/call.ts';
import { type RecordTemplate, recordAt } from '../../shared/record/template.ts';
import { type CheckResult, failedCheck } from '../../shared/server/check-results.ts';
import { type CrmConnection, connectCrms } from '../log/connectors/connections.ts';
import type { LogEntry } from '../log/connectors/connector.ts';
import { CrmError } from '../log/connectors/crm-error.ts';
import { markerOf, testText } from '../log/entry-text.ts';
import { recordLink } from '../log/record-link.ts';
import { rulesOf, templatesOfRules } from '../rules/rules-file.ts';
import { type RelaySettings, settingsPrefix } from '../settings.ts';

/** @returns one result for the rules file and one for each CRM, as far as they are set. */
export async function checkCrms({ crms, rulesFile }: RelaySettings): Promise<CheckResult[]> {
  if (rulesFile === undefined && crms.length === 0) return [];
  const connections = [...connectCrms(crms).values()];
  const templates = readableTemplates(rulesFile);
  const checked = connections.map((connection) => checkCrm(connection, templates));
  return [checkRules(rulesFile, connections), ...(await Promise.all(checked))];
}

/** @returns no templates where the file is wrong. A result of its own says so. */
function readableTemplates(path: string | undefined): RecordTemplate[] {
  try {
    return templatesOfRules(rulesOf(path));
  } catch {
    return [];
  }
}

function checkRules(path: string | undefined, connections: readonly CrmConnection[]): CheckResult {
  const what = `rules ${path ?? ''}`.trim();
  if (path === undefined)
    return failedCheck(
      what,
      `${settingsPrefix}RULES_FILE is not set: without templates no page shows a record`,
    );
  let systems: Set<string>;
  let outcomes: number;
  try {
    const rules = rulesOf(path);
    systems = new Set(templatesOfRules(rules).map(({ system }) => system));
    outcomes = rules.common.outcomes.length;
  } catch (error) {
    // The message has the path.
    return { isOk: false, what: 'rules', advice: (error as Error).message };
  }
  const logged = connections
    .filter(({ system }) => system.kind !== 'webhook')
    .map(({ system }) => system.name);
  const unused = logged.filter((name) => !systems.has(name));
  if (unused.length > 0)
    return failedCheck(what, `no template has the system ${unused.join(', ')}; no call is logged there`);
  const unlogged = [...systems].filter((name) => !logged.includes(name));
  const silent =
    unlogged.length > 0 && !connections.some(({ system }) => system.kind === 'webhook')
      ? `; ${settingsPrefix}CRM_… names no system ${unlogged.join(', ')}: calls on its records are not logged`
      : '';
  return {
    isOk: silent === '',
    what,
    advice: `records of ${[...systems].join(', ') || 'no system'}, ${outcomes} outcomes${silent}`,
  };
}

const problems: Readonly<Record<string, string>> = {
  unauthorized: 'it does not accept _TOKEN or _USER',
  unknownDatabase: 'it has no such _DATABASE',
  redirected: 'it sends elsewhere, perhaps to a login; see _URL',
  notJson: 'a page answers there, and no interface; see _URL',
  notFound: 'it has no such interface there; see _URL',
  forbidden: 'it refuses this user; see its rights',
  unreadable: 'it answers, but not as its _KIND does; see _KIND and _URL',
};

/** If a reply does not have the shape of the interface, the error is a TypeError. */
const reasonOfFailure = (error: unknown): string =>
  error instanceof TypeError ? 'unreadable' : (error as Error).message;

async function checkCrm(
  { system, connector, client }: CrmConnection,
  templates: readonly RecordTemplate[],
): Promise<CheckResult> {
  const what = `CRM ${system.name} at ${new URL(system.url).origin}`;
  const kinds = new Set(templates.filter((each) => each.system === system.name).map(({ kind }) => kind));
  try {
    const { who, missing, untested } = await connector.check(client, [...kinds]);
    if (missing.length > 0) return failedCheck(what, `${who}; what is missing: ${missing.join(', ')}`);
    if (untested) return { isOk: 'untested', what, advice: `${who}; ${untested}` };
    return { isOk: true, what, advice: who };
  } catch (error) {
    const reason = reasonOfFailure(error);
    const variables = `${settingsPrefix}CRM_${system.name.toUpperCase()}_…`;
    return failedCheck(what, `${problems[reason] ?? reason} (${variables})`);
  }
}

const entryProblems: Readonly<Record<string, string>> = {
  ...problems,
  notFound: 'the record is not there, or not shown to this user',
  deleted: 'the record was deleted',
  notesNotAllowed: 'its user may edit the record, but not add notes',
};

/**
 * Writes one entry that says that it is a test, as the relay's own user, and finds it by its marker.
 * @param address of a record, as browsers show it.
 */
export async function checkEntry(
  settings: Pick<RelaySettings, 'crms' | 'rulesFile'>,
  address: string,
): Promise<CheckResult> {
  const what = `entry on ${address}`;
  const failed = (advice: string): CheckResult => ({ isOk: false, what, advice });
  const templates = readableTemplates(settings.rulesFile);
  const key = recordAt(address, templates);
  const record = key && recordLink(key, templates, settings);
  if (!record) return failed(`no template of ${settingsPrefix}RULES_FILE fits this address`);
  const { system, connector, client } = connectCrms(settings.crms).get(record.system) ?? {};
  if (!connector?.find) {
    const webhook = settings.crms.find(({ kind }) => kind === 'webhook')?.name;
    if (webhook === undefined) return failed(`${settingsPrefix}CRM_… names no system ${record.system}`);
    const advice = `its calls are logged at the webhook ${webhook} alone, which gets no entry without a call`;
    return { isOk: 'untested', what, advice };
  }
  const now = new Date().toISOString();
  const call = newCall({ id: `check-${newCallId()}`, from: '', to: '', now });
  const marker = markerOf(call.id, 1);
  const entry: LogEntry = {
    ...{ marker, record, call, text: testText(marker, system!.lang), placedAt: now },
    ...{ part: 1, kind: 'call', talkSeconds: 0, secondsBefore: 0 },
  };
  try {
    await connector.create(entry, client!);
    const found = await connector.find(entry, client!);
    if (!found) return failed(`written, but not found again by its marker ${marker}`);
    const advice = `written, and found by its marker ${marker}: ${found.url ?? record.url}`;
    return { isOk: true, what, advice };
  } catch (error) {
    const reason = reasonOfFailure(error);
    const isUnsure = error instanceof CrmError ? error.kind === 'unsure' : error instanceof TypeError;
    const remaining = isUnsure ? `; an entry may be there, look for ${marker}` : '';
    return failed(`${entryProblems[reason] ?? reason}${remaining}`);
  }
}
