import { startPage } from '../page/start-page.tsx';
import { text } from '../text.ts';
import { Welcome } from './welcome.tsx';

await startPage(Welcome, () => text('welcome_title'));
