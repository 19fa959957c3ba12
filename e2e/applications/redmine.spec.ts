/** Redmine as a helpdesk uses it: seven views of its issues and pages. */
import { shownPhones, startRedmineWithPeople } from '../../testing/applications/redmine.ts';
import { addStoriesOfViews, openApplication } from './application.ts';

addStoriesOfViews(openApplication(startRedmineWithPeople), shownPhones, 'list');
