import { text } from '../../text.ts';
import { startPage } from '../parts/start-page.tsx';
import { Options } from './options.tsx';

await startPage(Options, () => text('options_title'));
