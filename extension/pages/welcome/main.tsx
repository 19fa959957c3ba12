import { text } from '../../text.ts';
import { startPage } from '../parts/start-page.tsx';
import { Welcome } from './welcome.tsx';

await startPage(Welcome, () => text('welcome_title'));
