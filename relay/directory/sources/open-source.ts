import type { SourceSettings } from '../directory-settings.ts';
import { carddavSource } from './carddav.ts';
import { csvSource } from './csv.ts';
import { ldapSource } from './ldap.ts';
import { odooSource } from './odoo.ts';
import { rtSource } from './request-tracker.ts';
import type { Source } from './source.ts';
import { trytonSource } from './tryton.ts';
import { vcardSource } from './vcard.ts';

export function openSource(settings: SourceSettings): Source {
  switch (settings.kind) {
    case 'carddav':
      return carddavSource(settings);
    case 'ldap':
      return ldapSource(settings);
    case 'odoo':
      return odooSource(settings);
    case 'rt':
      return rtSource(settings);
    case 'tryton':
      return trytonSource(settings);
    case 'vcard':
      return vcardSource(settings.url);
    case 'csv':
      return csvSource(settings.url);
  }
}
