import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { processTree } from './process-tree.ts';

const startsSleep = `
  const { parentPort } = require('node:worker_threads');
  const child = require('node:child_process').spawn('sleep', ['600']);
  child.on('spawn', () => parentPort.postMessage(child.pid));
  parentPort.on('message', () => child.kill());
  child.on('exit', () => process.exit());
`;

test('processes that another thread started belong to the tree', async () => {
  const worker = new Worker(startsSleep, { eval: true });
  const [pid] = await once(worker, 'message');
  const tree = processTree(process.pid);
  worker.postMessage('stop');
  await once(worker, 'exit');
  expect(tree).toContain(pid);
});
