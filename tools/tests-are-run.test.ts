import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import playwright from '../playwright.config.ts';
import { root } from '../testing/child.ts';
import vitest from '../vitest.config.ts';

/**
 * What git tracks; without its metadata (a source archive), what lies in the tree outside the folders that
 * are made.
 */
function projectFiles(): string[] {
  const { status, stdout } = spawnSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' });
  if (status === 0 && stdout !== '') return stdout.trim().split('\n');
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(node_modules|dist|test-results|\..*)$/.test(entry.name))
    .flatMap(({ name }) =>
      readdirSync(path.join(root, name), { recursive: true }).map((file) => path.join(name, String(file))),
    );
}

const { include, exclude } = (vitest as { test: { include: string[]; exclude: string[] } }).test;
const stories = `${playwright.testDir}/${playwright.testMatch}`;
const matches = (file: string, patterns: readonly string[]) =>
  patterns.some((pattern) => path.matchesGlob(file, pattern));

it('collects every test file by the configuration of vitest or of Playwright', () => {
  const tests = projectFiles().filter((file) => /\.(test|spec)\.tsx?$/.test(file));
  expect(tests.length).toBeGreaterThan(100);
  const isCollected = (file: string) =>
    (matches(file, include) && !matches(file, exclude)) || matches(file, [stories]);
  expect(tests.filter((file) => !isCollected(file))).toEqual([]);
});

/** A title is the first argument of a call by one of vitest's or Playwright's names, or of what `each(…)` returns. */
const titlePattern =
  /(?:\b(?:it|test|describe)(?:\.\w+)*|\)|`)\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1,\s*[\w({]/g;

it('has titles of at most 90 characters that join nothing by a conjunction', () => {
  const files = projectFiles().filter((file) => /\.(test|spec)\.tsx?$|^testing\/.*\.ts$/.test(file));
  const titles = files.flatMap((file) => {
    const calls = readFileSync(path.join(root, file), 'utf8').matchAll(titlePattern);
    return [...calls].map(([, , text = '']) => text.replace(/( @\w+|\$\{.*?\})/g, ''));
  });
  expect(titles.length).toBeGreaterThan(1500);
  expect(titles.filter((title) => title.includes(' and ') || title.length > 90)).toEqual([]);
});
