import { startPage } from '../page/start-page.tsx';
import { text } from '../text.ts';
import { RegistrationPage } from './registration-page.tsx';

await startPage(RegistrationPage, () => text('registration_title'));
