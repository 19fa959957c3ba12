import { describeStore } from './contract.ts';
import { openMemoryStore } from './memory-store.ts';

describeStore('memory', async () => openMemoryStore());
