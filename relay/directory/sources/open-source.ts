import type { CrmSystem } from '../../log/crm-settings.ts';
import type { SourceSettings } from '../directory-settings.ts';
import { carddavSource } from './carddav.ts';
import { csvSource } from './csv.ts';
import type { Source } from './source.ts';
import { vcardSource } from './vcard.ts';

/** @param crms that calls are logged in: one may be a source, too. */
export function openSource(settings: SourceSettings, _crms: readonly CrmSystem[]): Source {
  switch (settings.kind) {
    case 'carddav':
      return carddavSource(settings);
    case 'vcard':
      return vcardSource(settings.url);
    case 'csv':
      return csvSource(settings.url);
    default:
      throw new Error(`no source of kind ${settings.kind}`);
  }
}
