import { startPage } from '../page/start-page.tsx';
import { text } from '../text.ts';
import { CallPage } from './call-page.tsx';

await startPage(CallPage, () => text('call_title'));
