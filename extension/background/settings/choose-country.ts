import { detectCountryHere } from '../../detect-country.ts';
import { teamRules } from '../calls/team-rules.ts';
import { database } from '../database.ts';
import { hasSavedSettings, readSettings, updateSettings } from './settings-store.ts';

/**
 * Takes the country of the browser at the first installation. The first page names it, and leads to where it is
 * changed. Browsers report an unpacked extension as installed at every start: saved settings stay.
 */
export async function chooseCountry(): Promise<void> {
  if (await hasSavedSettings()) return;
  await saveCountry(detectCountryHere() ?? (await ownCountry()));
}

/** Takes the team's country in place of the one chosen here; one that the agent or the policy chose stays. */
export async function takeTeamCountry(): Promise<void> {
  const country = (await teamRules())?.numbers?.country;
  const own = await ownCountry();
  if (country === undefined || country === own) return;
  if (own === (await (await database()).get('settings', chosenHere))) await saveCountry(country);
}

/** The country that no person chose, beside the settings. */
const chosenHere = 'chosenCountry';

async function saveCountry(country: ChosenCountry): Promise<void> {
  await updateSettings((own) => ({ ...own, numbers: { ...own.numbers, country } }));
  await (await database()).put('settings', country, chosenHere);
}

type ChosenCountry = Awaited<ReturnType<typeof ownCountry>>;
const ownCountry = async () => (await readSettings()).settings.numbers.country;
