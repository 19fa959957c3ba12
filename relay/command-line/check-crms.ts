/** The part of `check` that reads the rules, and asks each CRM who the relay is there and what it may do. Writes nothing. */
import type { RecordTemplate } from '../../shared/record/template.ts';
import type { CheckResult } from '../../shared/server/check-results.ts';
import { type CrmConnection, connectCrms } from '../log/connectors/connections.ts';
import { allTemplates, rulesOf } from '../rules/rules-file.ts';
import { type Settings, settingsPrefix } from '../settings.ts';

/** @returns one result for the rules file and one for each CRM, as far as they are set. */
export async function checkCrms({ crms, rulesFile }: Settings): Promise<CheckResult[]> {
  if (rulesFile === undefined && crms.length === 0) return [];
  const connections = [...connectCrms(crms).values()];
  const templates = readableTemplates(rulesFile);
  const checked = connections.map((connection) => checkCrm(connection, templates));
  return [checkRules(rulesFile, connections), ...(await Promise.all(checked))];
}

/** None where the file is wrong, which has a result of its own. */
function readableTemplates(path: string | undefined): RecordTemplate[] {
  try {
    return allTemplates(path);
  } catch {
    return [];
  }
}

function checkRules(path: string | undefined, connections: readonly CrmConnection[]): CheckResult {
  const what = `rules ${path ?? ''}`.trim();
  if (path === undefined)
    return {
      isOk: false,
      what,
      advice: `${settingsPrefix}RULES_FILE is not set: without templates no page shows a record`,
    };
  let systems: Set<string>;
  let outcomes: number;
  try {
    systems = new Set(allTemplates(path).map(({ system }) => system));
    outcomes = rulesOf(path).common.outcomes.length;
  } catch (error) {
    return { isOk: false, what, advice: (error as Error).message };
  }
  const logged = connections
    .filter(({ system }) => system.kind !== 'webhook')
    .map(({ system }) => system.name);
  const unused = logged.filter((name) => !systems.has(name));
  if (unused.length > 0)
    return {
      isOk: false,
      what,
      advice: `no template has the system ${unused.join(', ')}; no call is logged there`,
    };
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
};

async function checkCrm(
  { system, connector, client }: CrmConnection,
  templates: readonly RecordTemplate[],
): Promise<CheckResult> {
  const what = `CRM ${system.name} at ${new URL(system.url).origin}`;
  const kinds = new Set(templates.filter((each) => each.system === system.name).map(({ kind }) => kind));
  try {
    const { who, missing, untested } = await connector.check(client, [...kinds]);
    if (missing.length > 0)
      return { isOk: false, what, advice: `${who}; what is missing: ${missing.join(', ')}` };
    if (untested) return { isOk: 'untested', what, advice: `${who}; ${untested}` };
    return { isOk: true, what, advice: who };
  } catch (error) {
    const { message } = error as Error;
    const variables = `${settingsPrefix}CRM_${system.name.toUpperCase()}_…`;
    return { isOk: false, what, advice: `${problems[message] ?? message} (${variables})` };
  }
}
