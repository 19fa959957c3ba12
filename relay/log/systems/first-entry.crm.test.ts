/** What docs/records.md says, as a new administrator does it. */
import { walkToFirstEntry } from '../../../testing/crm/first-entry-walk.ts';
import { startRedmine } from '../../../testing/crm/real-redmine.ts';
import { startRt } from '../../../testing/crm/real-rt.ts';
import { startTryton } from '../../../testing/crm/real-tryton.ts';

walkToFirstEntry('the walk of the CRM administrator to a logged call at Redmine', 'redmine', startRedmine);
walkToFirstEntry('the walk of the CRM administrator to a logged call at RT', 'rt', startRt);
walkToFirstEntry('the walk of the CRM administrator to a logged call at Tryton', 'tryton', startTryton);
