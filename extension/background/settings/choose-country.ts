import { detectCountryHere } from '../../detect-country.ts';
import { hasSavedSettings, updateSettings } from './settings-store.ts';

/**
 * Takes the country of the browser at the first installation. The first page names it, and leads to where it is changed.
 * Browsers report an unpacked extension as installed at every start: saved settings stay.
 */
export async function chooseCountry(): Promise<void> {
  if (await hasSavedSettings()) return;
  const country = detectCountryHere();
  if (country) await updateSettings((own) => ({ ...own, numbers: { ...own.numbers, country } }));
}
