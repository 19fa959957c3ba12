import { detectCountryHere } from '../../detect-country.ts';
import { teamRules } from '../calls/team-rules.ts';
import { database } from '../database.ts';
import { hasSavedSettings, readSettings, updateSettings } from './settings-store.ts';

/**
 * Takes the browser's country at the first installation. The first page names the country and leads to its setting.
 * Browsers report an unpacked extension as installed at every start, so saved settings are not changed.
 */
export async function chooseCountry(): Promise<void> {
  if (await hasSavedSettings()) return;
  await saveCountry(detectCountryHere() ?? (await ownCountry()));
}

/** Replaces the country chosen here by the team's country. A country that the agent or the policy chose stays. */
export async function takeTeamCountry(): Promise<void> {
  const country = (await teamRules())?.numbers?.country;
  const own = await ownCountry();
  if (country === undefined || country === own) return;
  if (own === (await (await database()).get('settings', chosenHere))) await saveCountry(country);
}

/** The key of the country that was not chosen by a person. It is stored beside the settings. */
const chosenHere = 'chosenCountry';

async function saveCountry(country: ChosenCountry): Promise<void> {
  await updateSettings((own) => ({ ...own, numbers: { ...own.numbers, country } }));
  await (await database()).put('settings', country, chosenHere);
}

type ChosenCountry = Awaited<ReturnType<typeof ownCountry>>;
const ownCountry = async () => (await readSettings()).settings.numbers.country;
