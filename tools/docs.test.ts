import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../testing/child.ts';
import { trackedFiles } from '../testing/tracked-files.ts';

const tracked = trackedFiles();
const topFolders = new Set(tracked.filter((file) => file.includes('/')).map((file) => file.split('/')[0]));
const fileNames = new Set(tracked.map((file) => path.basename(file)));
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

const documents = tracked.filter((file) => /^(docs\/)?[^/]+\.md$/.test(file));
const read = (document: string) => readFileSync(path.join(root, document), 'utf8');
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1]!);

/** GitHub's anchor of a heading. */
const anchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

describe.each(documents)('%s', (document) => {
  const text = read(document);

  it('has no marks of a merge', () => {
    expect(matches(text, /^(<<<<<<<|=======|>>>>>>>)/gm)).toEqual([]);
  });

  it('wraps its prose at 100 columns', () => {
    let isCode = false;
    const long = text.split('\n').filter((line) => {
      if (line.trimStart().startsWith('```')) isCode = !isCode;
      // Commands, tables, pictures and markup cannot be broken.
      return line.length > 100 && !isCode && !/^(?: {4}|\s*[|<]|!\[)/.test(line);
    });
    expect(long).toEqual([]);
  });

  it('links only to files or headings that exist', () => {
    const links = matches(text, /\]\(([^)\s]+)\)/g).filter((link) => !/^(https?|mailto):/.test(link));
    const broken = links.filter((link) => {
      const [file, heading] = link.split('#');
      const target = file === '' ? document : path.join(path.dirname(document), file!);
      if (!existsSync(path.join(root, target))) return true;
      return (
        heading !== undefined &&
        !matches(read(target), /^#+ (.+)$/gm)
          .map(anchor)
          .includes(heading)
      );
    });
    expect(broken).toEqual([]);
  });

  it('names paths of the repository that exist', () => {
    const paths = matches(text, /`([\w.@/-]+)`/g)
      .filter((name) => !/[A-Z]{4}/.test(name))
      .filter((name) => topFolders.has(name.split('/')[0]!) || /^[\w.-]+\.(ts|tsx|mts|mjs)$/.test(name));
    const missing = paths.filter(
      (name) => !existsSync(path.join(root, name)) && (name.includes('/') || !fileNames.has(name)),
    );
    expect(missing).toEqual([]);
  });

  it('names commands that package.json has', () => {
    const commands = [
      ...matches(text, /\bnpm run (?:--silent )?([\w:-]+)/g),
      ...matches(text, /\bnpm (test|start)\b/g),
    ];
    expect(commands.filter((command) => !(command in scripts))).toEqual([]);
  });
});

it('the documents to check are found', () => {
  for (const document of ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/architecture.md'])
    expect(documents).toContain(document);
});
