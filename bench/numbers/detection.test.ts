import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readCorpora } from './corpus.ts';
import { ours } from './finders.ts';
import { score } from './score.ts';
import { countUnasked } from './unasked.ts';

const corpora = await readCorpora(fileURLToPath(new URL('../corpora/', import.meta.url)));
const samplesOf = (name: string) => corpora.find((corpus) => corpus.name === name)!.samples;
const languages = ['english', 'french', 'german', 'portuguese', 'spanish'];

describe.each(languages)('CRM sentences in %s', (language) => {
  const samples = samplesOf(`crm_${language}`);

  test.each(samples.map((sample) => [sample.region, sample.text, sample] as const))(
    '%s: %s',
    (_region, _text, sample) => {
      const found = ours(sample.text, sample.region).map(([start, end]) => sample.text.slice(start, end));
      expect(found).toEqual(sample.spans.map(([start, end]) => sample.text.slice(start, end)));
    },
  );
});

test('the five languages have 150 sentences with a number, 150 without', () => {
  const all = languages.flatMap((language) => samplesOf(`crm_${language}`));
  expect(all.filter(({ spans }) => spans.length > 0).length).toBeGreaterThanOrEqual(150);
  expect(all.filter(({ spans }) => spans.length === 0).length).toBeGreaterThanOrEqual(150);
});

test('Recognizers-Text, English: precision .95, recall .90, at most 3 of 49 other texts hit', () => {
  const { precision, recall, negatives, negativesHit } = score(ours, samplesOf('recognizers_english'));
  expect(precision).toBeGreaterThanOrEqual(0.95);
  expect(recall).toBeGreaterThanOrEqual(0.9);
  expect(negatives).toBe(49);
  expect(negativesHit).toBeLessThanOrEqual(3);
});

test('numbers of forty countries: precision .97, recall .98, at most 3 % of other texts hit', () => {
  const { precision, recall, negatives, negativesHit } = score(ours, samplesOf('mixed_languages'));
  expect(precision).toBeGreaterThanOrEqual(0.97);
  expect(recall).toBeGreaterThanOrEqual(0.98);
  expect(negatives).toBeGreaterThanOrEqual(300);
  expect(negativesHit / negatives).toBeLessThanOrEqual(0.03);
});

test.each(['crm_notes', 'crm_notes_kept_aside'])('%s: precision .98, recall .95', (name) => {
  const { precision, recall } = score(ours, samplesOf(name));
  expect(precision).toBeGreaterThanOrEqual(0.98);
  expect(recall).toBeGreaterThanOrEqual(0.95);
});

test('what libphonenumber calls impossible is left alone', () => {
  expect(score(ours, samplesOf('lpn_impossible_cases')).found).toBe(0);
});

test.each(['lpn_strict_grouping_cases', 'lpn_exact_grouping_cases'])(
  'every number of %s is found, whole',
  (name) => {
    const { differences } = score(ours, samplesOf(name));
    expect(differences.map(({ sample, found }) => [sample.text, found])).toEqual([]);
  },
);

test('valid digits in groups of no telephone are found behind a phone word, whole', () => {
  const word = 'Tel. ';
  for (const { text, region } of samplesOf('lpn_valid_cases')) {
    const label = text.startsWith('+') ? '' : word;
    const found = ours(label + text, region).map(([start, end]) => (label + text).slice(start, end));
    expect(found, text).toEqual([text]);
  }
});

test('a date is not a number, although a plan has its digits', () => {
  expect(ours('2012-01-02 08', 'US')).toEqual([]);
});

test("99 % of the own country's numbers in ordinary writing are dialled without a question", () => {
  const { own, unasked } = countUnasked(
    corpora.filter(({ name }) => !name.startsWith('lpn_')).flatMap(({ samples }) => samples),
  );
  expect(own).toBeGreaterThanOrEqual(400);
  expect(unasked / own).toBeGreaterThanOrEqual(0.99);
});

test('without a region, bare digits are found only behind a phone word', () => {
  expect(ours('+55 48 99999-8888', undefined)).toEqual([[0, 17]]);
  expect(ours('Telefone: 3456-7890', undefined)).toEqual([[10, 19]]);
  expect(ours('415-666-7777', undefined)).toEqual([]);
});
