/** Reads detection corpora: every `*.json` of a folder, an array of `{text, region, spans}` in UTF-16 units. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { CountryCode } from 'libphonenumber-js/max';
import { z } from 'zod/mini';

const Corpus = z.array(
  z.object({
    text: z.string(),
    region: z.optional(z.nullable(z.string())),
    spans: z.array(z.tuple([z.number(), z.number()])),
  }),
);

export interface Sample {
  text: string;
  region?: CountryCode;
  spans: readonly (readonly [number, number])[];
}

export interface NamedCorpus {
  name: string;
  samples: readonly Sample[];
}

/** @throws Error that names the file which is not of that form. */
export async function readCorpora(folder: string): Promise<NamedCorpus[]> {
  const entries = await readdir(folder).catch(() => {
    throw new Error(`The corpus folder ${folder} cannot be read.`);
  });
  const names = entries.filter((name) => name.endsWith('.json')).sort();
  if (names.length === 0) throw new Error(`No *.json corpus was found in ${folder}.`);
  return await Promise.all(
    names.map(async (name) => {
      const parsed = Corpus.safeParse(JSON.parse(await readFile(join(folder, name), 'utf8')));
      if (!parsed.success) {
        throw new Error(`${name} is not an array of {text, region, spans}: ${z.prettifyError(parsed.error)}`);
      }
      const samples = parsed.data.map(({ text, region, spans }) => ({
        text,
        spans,
        ...(region ? { region: region as CountryCode } : {}),
      }));
      return { name: basename(name, '.json'), samples };
    }),
  );
}
