/**
 * `custom-elements.json` out of the comment that heads `element.tsx`, so that editors and documentation tools know what pages
 * may write. `node --import tsx widget/manifest/custom-elements.ts` writes it; the build puts it beside the widget.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../element.tsx', import.meta.url));
export const manifestFile = fileURLToPath(new URL('../custom-elements.json', import.meta.url));

interface Tag {
  tag: string;
  type?: string;
  name: string;
  description: string;
}

/** One tag a line: `@attr {type} name - description`. */
function readTags(comment: string): Tag[] {
  return [...comment.matchAll(/^ \* @(\w+) (?:\{(.+?)\} )?(\S+)(?: - (.+))?$/gm)].map(
    ([, tag, type, name, description]) => ({
      tag: tag!,
      ...(type === undefined ? {} : { type }),
      name: name!,
      description: description ?? '',
    }),
  );
}

/** Custom Elements Manifest, schema 1.0.0. @throws Error where a line of the comment is not understood. */
export function customElementsManifest(): object {
  const comment = /^\/\*\*\n([\s\S]*?)\n \*\//.exec(readFileSync(source, 'utf8'))?.[1] ?? '';
  const tags = readTags(comment);
  const written = comment.match(/^ \* @/gm)?.length ?? 0;
  if (tags.length !== written)
    throw new Error(`${source}: ${written - tags.length} tags in its comment are not understood`);
  const of = (tag: string) =>
    tags
      .filter((each) => each.tag === tag)
      .map(({ name, type, description }) => ({
        name,
        ...(type ? { type: { text: type } } : {}),
        description,
      }));
  const members = [
    ...of('prop').map((member) => ({ kind: 'field', ...member })),
    ...of('method').map(({ name, type, description }) => ({
      kind: 'method',
      name,
      description,
      parameters: [{ name: 'number', type: { text: 'string' } }],
      return: { type: { text: type?.text.split('=> ')[1] ?? 'void' } },
    })),
  ];
  return {
    schemaVersion: '1.0.0',
    modules: [
      {
        kind: 'javascript-module',
        path: 'widget.js',
        declarations: [
          {
            kind: 'class',
            customElement: true,
            name: 'DialmarkWidget',
            tagName: of('tag')[0]?.name,
            description: comment.split('\n')[0]!.replace(/^ \* /, ''),
            attributes: of('attr'),
            members,
            events: of('event'),
            slots: of('slot'),
            cssParts: of('csspart'),
            cssProperties: of('cssprop'),
          },
        ],
        exports: [
          {
            kind: 'js',
            name: 'DialmarkWidget',
            declaration: { name: 'DialmarkWidget', module: 'widget.js' },
          },
          {
            kind: 'custom-element-definition',
            name: 'dialmark-widget',
            declaration: { name: 'DialmarkWidget', module: 'widget.js' },
          },
        ],
      },
    ],
  };
}

export const manifestText = (): string => `${JSON.stringify(customElementsManifest(), null, 2)}\n`;

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(manifestFile, manifestText());
