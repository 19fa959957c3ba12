/** `npm run bench -- sheets` measures it. */
import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { Cleanup } from '../../testing/cleanup.ts';
import { runCommand } from '../../testing/relay/run-command.ts';
import { startTestRelay } from '../../testing/relay/test-relay.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const rows = 100_000;

it('imports 100,000 rows while agents claim from another sheet', { timeout: 600_000 }, async () => {
  const cleanup = new Cleanup();
  try {
    const folder = await temporaryFolder();
    cleanup.add('the folder', () => folder.remove());
    const environment = { STORE: `sqlite:${folder.file('relay.db')}`, COUNTRY: 'BR' };
    const relay = await startTestRelay(environment);
    cleanup.add('the relay', () => relay.stop());
    const as = await relay.member('1105', { team: 'sales' });
    const items = [{ number: '+55 48 3222-1000' }];
    const made = await relay.ask('/v1/sheets', { as, body: { name: 'Small', items } });
    const claim = async (sheet: string) =>
      (await relay.ask(`/v1/sheets/${sheet}/claim`, { as, body: {} })).body;

    const file = folder.file('leads.csv');
    const lines = Array.from({ length: rows }, (_, n) => `Person ${n},+55 48 9${90_000_000 + n}`);
    await writeFile(file, `Name,Phone\n${lines.join('\n')}\n`);
    let isImporting = true;
    const imported = runCommand(relay, environment, 'sheet', 'import', file, '--team', 'sales').finally(
      () => (isImporting = false),
    );
    while (isImporting) expect((await claim(made.body.sheet.id)).item.id).toBe(1);
    const { out, err } = await imported;
    expect(err).toBe(`items: ${rows}\n`);
    expect(await claim(out.trim())).toMatchObject({ item: { id: 1 }, sheet: { counts: { open: rows } } });
  } finally {
    await cleanup.run();
  }
});
