/** The form of the source that is not a test: short lines, short files, one name for one thing. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { trackedFiles } from '../testing/tracked-files.ts';

const maxColumns = 120;
const maxLines = 300;
const shipped = /^(extension|relay|shared|widget|pbx|registration)\//;

const files = trackedFiles('*.ts', '*.tsx', '*.mts', '*.mjs')
  .filter((file) => !/\.(test|spec)\./.test(file))
  .map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n') }));

describe('the source', () => {
  it('has lines of at most 120 columns, regular expressions aside', () => {
    const long = files.flatMap(({ path, lines }) =>
      lines.flatMap((line, index) =>
        line.length > maxColumns && !/^\s*\/\S.*\/[a-z]*[,;]$/.test(line) ? [`${path}:${index + 1}`] : [],
      ),
    );
    expect(long).toEqual([]);
  });

  it('has files of at most 300 lines', () => {
    expect(files.filter(({ lines }) => lines.length - 1 > maxLines).map(({ path }) => path)).toEqual([]);
  });

  it('has one place for each name of a type or function that is shipped', () => {
    const places = new Map<string, Set<string>>();
    for (const { path, lines } of files)
      if (shipped.test(path) && !path.endsWith('.d.ts'))
        for (const line of lines) {
          const name = declaredName(line);
          if (name !== undefined) places.set(name, (places.get(name) ?? new Set()).add(path));
        }
    const repeated = [...places].filter(([, paths]) => paths.size > 1);
    expect(repeated.map(([name, paths]) => `${name}: ${[...paths].join(', ')}`)).toEqual([]);
  });
});

/** Of a declaration at the beginning of a line. `Props` are those of their file's component. */
function declaredName(line: string): string | undefined {
  const declared =
    /^(?:export )?(?:async )?(?:function\*?|class|interface|type) (\w+)/.exec(line) ??
    /^(?:export )?const (\w+)[^=]*= (?:async )?(?:\(|\w+ =>)/.exec(line);
  return declared?.[1] === 'Props' ? undefined : declared?.[1];
}
