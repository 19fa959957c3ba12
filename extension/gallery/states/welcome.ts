import { ok } from '../../messages/result.ts';
import { exampleSettings } from '../../pages/options/example-settings.ts';
import type { OwnState } from './page-state.ts';
import { checks, emptyView, panel, setupCode, view } from './samples.ts';

const notSetUp = () => ({
  'page.settings': ok(emptyView()),
  'page.state': ok(panel({ problem: 'notConfigured', recent: [] })),
});

export const welcome: readonly OwnState[] = [
  {
    name: 'Empty: first run',
    replies: notSetUp,
  },
  {
    name: 'A setup code pasted',
    replies: notSetUp,
    steps: [{ selector: '#setup-code', value: setupCode(['1105', '1106']) }],
  },
  {
    name: 'Filled: all done',
    replies: () => ({ 'page.testConnection': ok({ ok: true, checks: checks() }) }),
  },
  {
    name: 'Offline: the relay is not reached',
    replies: () => ({
      'page.state': ok(panel({ recent: [] })),
      'page.testConnection': ok({ ok: false, checks: checks('unreachable') }),
    }),
  },
  {
    name: 'Permission missing, set by the organisation',
    hasPermission: false,
    replies: () => ({
      'page.settings': ok(
        view(exampleSettings(), { locked: ['connection'], missingPermission: ['crm.example.com'] }),
      ),
      'page.state': ok(panel({ problem: 'noPermission', problemDetail: 'relay.example.com', recent: [] })),
    }),
  },
  {
    name: 'Set by the organisation',
    replies: () => ({
      'page.state': ok(panel({ recent: [] })),
      'page.settings': ok(view(exampleSettings(), { locked: ['connection'] })),
      'page.testConnection': ok({ ok: true, checks: checks() }),
    }),
  },
];
