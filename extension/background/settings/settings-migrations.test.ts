import { expect, test } from 'vitest';
import { Settings } from '../../settings.ts';
import { currentVersion, type Migration, migrate, migrations } from './settings-migrations.ts';

test('every released version has its step, and the newest is the schema’s default', () => {
  expect(migrations).toHaveLength(currentVersion - 1);
  expect(Settings.parse({}).version).toBe(currentVersion);
});

test('steps run in order from the version found, each once', () => {
  const steps: Migration[] = [
    (stored) => ({ ...stored, path: 'one' }),
    (stored) => ({ ...stored, path: `${stored.path} two` }),
  ];
  expect(migrate({ version: 1 }, steps)).toEqual({ version: 3, path: 'one two' });
  expect(migrate({ version: 2, path: 'was' }, steps)).toEqual({ version: 3, path: 'was two' });
  expect(migrate({ version: 3, path: 'now' }, steps)).toEqual({ version: 3, path: 'now' });
});

test.each([[undefined], [null], ['text'], [[]], [{ version: 'x' }], [{ version: -4 }]])(
  'what is stored as %j is read as version 1',
  (stored) => {
    expect(Settings.safeParse(migrate(stored)).success).toBe(true);
  },
);
