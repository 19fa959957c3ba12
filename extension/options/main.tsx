import { startPage } from '../page/start-page.tsx';
import { text } from '../text.ts';
import { Options } from './options.tsx';

await startPage(Options, () => text('options_title'));
