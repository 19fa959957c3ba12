import { resolveForTeam } from '../../resolve-for-team.ts';
import { teamRules } from '../calls/team-rules.ts';
import { readSettings } from '../settings/settings-store.ts';
import { chosenReadings } from './chosen-readings.ts';

/** Resolves a number as if the agent typed it, by the present settings, answers and rules of the team. */
export async function resolveTyped(text: string): Promise<ReturnType<typeof resolveForTeam>> {
  const [{ settings }, chosen, rules] = await Promise.all([readSettings(), chosenReadings(), teamRules()]);
  return resolveForTeam({ kind: 'typed', text }, settings, { now: new Date(), chosen }, rules);
}
