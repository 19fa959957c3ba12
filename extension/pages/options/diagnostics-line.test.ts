import { expect, test } from 'vitest';
import { diagnosticsOf } from './diagnostics-line.ts';
import { exampleSettings } from './example-settings.ts';

test('names version, browser, state, but neither a number nor a site nor an extension', () => {
  const line = diagnosticsOf(
    {
      settings: exampleSettings(),
      locked: [],
      managedProblems: [],
      secrets: { agentKey: 'saved', serviceToken: 'none' },
      missingPermission: ['crm.example.com'],
      marksAnySite: true,
    },
    '1.2.3',
    'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0',
  );
  for (const part of [
    'Dialmark 1.2.3',
    'Firefox/153.0',
    'relay https://relay.example.com',
    'agent key saved',
  ])
    expect(line).toContain(part);
  expect(line).toContain('sites 1 (1 without permission)');
  expect(line).not.toMatch(/crm\.|1105/);
});
