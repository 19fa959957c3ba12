/** Directus as a team's own CRM: seven views of its people. */
import { startDirectus } from '../../testing/applications/directus.ts';
import { shownPhones } from '../../testing/applications/directus-people.ts';
import { addStoriesOfViews, openApplication } from './application.ts';

/** It makes 90 tables at its first start. */
const startTimeoutMs = 600_000;

addStoriesOfViews(openApplication(startDirectus, startTimeoutMs), shownPhones, 'table');
