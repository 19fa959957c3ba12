/** Makes `custom-elements.json`, for editors and documentation tools, from the comment at the top of `element.tsx`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../element.tsx', import.meta.url));

/**
 * Returns a Custom Elements Manifest, schema 1.0.0.
 * @throws Error for a line that is not `@attr {type} name - description`.
 */
export function customElementsManifest(): object {
  const comment = /^\/\*\*\n([\s\S]*?)\n \*\//.exec(readFileSync(source, 'utf8'))?.[1] ?? '';
  const tags = [...comment.matchAll(/^ \* @(\w+)(?: \{(.+?)\})?(?: (?!- )(\S+))?(?: - (.+))?$/gm)];
  const count = comment.match(/^ \* @/gm)?.length ?? 0;
  if (tags.length !== count) throw new Error(`${source}: ${count - tags.length} tags cannot be parsed`);
  const of = (wanted: string) =>
    tags
      .filter(([, tag]) => tag === wanted)
      .map(([, , type, name = '', description = '']) => ({
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
          ['js', 'DialmarkWidget'],
          ['custom-element-definition', 'dialmark-widget'],
        ].map(([kind, name]) => ({
          kind,
          name,
          declaration: { name: 'DialmarkWidget', module: 'widget.js' },
        })),
      },
    ],
  };
}
