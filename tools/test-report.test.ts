import { expect, test } from 'vitest';
import { playwrightCount } from './test-report.ts';

test('a test that fails in the second browser alone is named with its browser', () => {
  const passed = { projectName: 'chromium', status: 'expected', results: [{ errors: [] }] } as const;
  const failed = {
    projectName: 'firefox',
    status: 'unexpected',
    results: [{ errors: [{ message: 'Error: expected 2' }] }],
  } as const;
  const specs = [{ title: 'a mail is moved', ok: true, tests: [passed, failed] }];
  const report = {
    stats: { expected: 1, unexpected: 1, flaky: 0, skipped: 0 },
    suites: [{ title: 'mail.spec.ts', suites: [{ title: 'a list', specs }] }],
  };
  expect(playwrightCount(report)).toEqual({
    passed: 1,
    failed: 1,
    failures: ['mail.spec.ts › a list › a mail is moved (firefox, unexpected)\n  Error: expected 2'],
  });
});
