import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { resolve } from '../shared/numbers/dial/resolve.ts';
import { projectFile } from '../shared/server/project-file.ts';
import { overlayManaged } from './background/settings/managed-overlay.ts';
import { publisher } from './publisher.ts';
import { Settings } from './settings.ts';

const { geckoId } = publisher;
const read = async (name: string) => JSON.parse(await readFile(projectFile(`docs/${name}`), 'utf8'));
const problemsOf = (values: unknown) => overlayManaged(Settings.parse({}), values, true).problems;

/** The objects in the document. */
async function readSamples() {
  const document = await readFile(projectFile('docs/administrators.md'), 'utf8');
  const blocks = [...document.matchAll(/(?<=\n\n)(?: {4}.*\n)+/g)].map(([block]) => block);
  return blocks.filter((block) => block.includes('"connection"')).map((block) => JSON.parse(block));
}

describe('the samples of a managed installation', () => {
  it('install one extension with the same existing settings in both browsers', async () => {
    const chrome = await read('deploy/chrome-policy.json');
    const { policies: firefox } = await read('deploy/firefox-policies.json');
    const [id, ...others] = Object.keys(chrome.ExtensionSettings);
    expect([id, others]).toEqual([expect.stringMatching(/^[a-p]{32}$/), []]);
    expect(Object.keys(firefox.ExtensionSettings)).toEqual([geckoId]);
    const values = chrome['3rdparty'].extensions[id!];
    expect(firefox['3rdparty'].Extensions).toEqual({ [geckoId]: values });
    expect(problemsOf(values)).toEqual([]);
    expect(overlayManaged(Settings.parse({}), values, true).locked).toContain('connection.relayUrl');
  });

  it('are objects that the document writes out in full', async () => {
    const samples = await readSamples();
    expect(samples.map(({ connection }) => connection.mode)).toEqual(['relay', 'direct']);
    for (const sample of samples) expect(problemsOf(sample)).toEqual([]);
  });

  it('send national calls alone to an outside line', async () => {
    const [sample] = await readSamples();
    const { numbers, guard } = overlayManaged(Settings.parse({}), sample, true).settings;
    const dialled = (text: string) => {
      const resolved = resolve({ kind: 'typed', text }, { numbers, guard }, { now: new Date() });
      return 'digits' in resolved ? resolved.digits.to : undefined;
    };
    expect(dialled('(48) 3222-1000')).toBe('04832221000');
    expect(dialled('+54 11 4321-0000')).toBe('00541143210000');
    expect(dialled('1105')).toBe('1105');
  });
});
