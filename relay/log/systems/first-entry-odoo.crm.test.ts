/** What docs/records.md says, as a new administrator of Odoo does it. */
import { walkToFirstEntry } from '../../../testing/crm/first-entry-walk.ts';
import { startOdoo } from '../../../testing/crm/real-odoo.ts';

walkToFirstEntry('the walk of the CRM administrator to a logged call at Odoo', 'odoo', startOdoo);
