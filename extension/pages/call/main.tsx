import { text } from '../../text.ts';
import { startPage } from '../parts/start-page.tsx';
import { CallPage } from './call-page.tsx';

await startPage(CallPage, () => text('call_title'));
