/** Directus as a team's own CRM: seven views of its people. */
import { startDirectus } from '../../testing/applications/directus.ts';
import { shownPhones } from '../../testing/applications/directus-people.ts';
import { addStoriesOfViews, openApplication } from './application.ts';

addStoriesOfViews(openApplication(startDirectus), shownPhones, 'table');
