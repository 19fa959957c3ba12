import { text } from '../../text.ts';
import { startPage } from '../parts/start-page.tsx';
import { RegistrationPage } from './registration-page.tsx';

await startPage(RegistrationPage, () => text('registration_title'));
