import { expect, it } from 'vitest';
import { defaultRules } from '../../../shared/protocol/rules.ts';
import { Settings } from '../../settings.ts';
import { rulesWithPolicy, withOfferedOutcomes } from './rules-with-policy.ts';

const template = { system: 'redmine', origin: 'https://crm.example', pattern: '/issues/{id}', kind: 'issue' };
const rules = { ...defaultRules, templates: [template] };
const records = (policy: object) => Settings.parse({ records: policy }).records;

it('adds further addresses of records that the relay knows', () => {
  const inside = { ...template, origin: 'http://crm.lan:3000' };
  const added = rulesWithPolicy(rules, records({ templates: [inside] }));
  expect(added.templates).toEqual([template, inside]);
});

it('adds no records that the relay does not know, since it would refuse their calls', () => {
  const others = [
    { ...template, kind: 'project' },
    { ...template, system: 'other' },
  ];
  expect(rulesWithPolicy(rules, records({ templates: others }))).toEqual(rules);
});

it('offers only the outcomes of the policy, in its order', () => {
  const { outcomes } = withOfferedOutcomes(rules, records({ outcomes: ['busy', 'reached', 'removed'] }));
  expect(outcomes.map(({ code }) => code)).toEqual(['busy', 'reached']);
});

it.each([[[]], [['removed']]])(
  'offers every outcome of the relay where the policy leaves none: %j',
  (outcomes) => {
    expect(withOfferedOutcomes(rules, records({ outcomes }))).toEqual(rules);
  },
);
