/** What the stores' reviewers need: how the same bytes are built, on which system, and why lint still warns. */

export interface LintWarning {
  code: string;
  message: string;
  file: string;
}

interface BuildFacts {
  version: string;
  /** Operating system, name and version. */
  system: string;
  /** The programs that the build runs: name -> exact version. */
  tools: Record<string, string>;
  /** File -> sha256 of its bytes. */
  packages: Record<string, string>;
  warnings: readonly LintWarning[];
}

/** Warnings of `web-ext lint` that stay: its code, a part of its message, and why. */
const explanations: readonly [code: string, message: string, why: string][] = [
  [
    'UNSAFE_VAR_ASSIGNMENT',
    'innerHTML',
    'Preact itself, for `dangerouslySetInnerHTML`, which no file of ours uses. Nothing of ours assigns markup.',
  ],
  [
    'UNSUPPORTED_API',
    'sidePanel.open',
    'Chrome’s alone: the popup asks whether `chrome.sidePanel` is there, and opens the sidebar where it is not.',
  ],
  [
    'UNSUPPORTED_API',
    'dom.openOrClosedShadowRoot',
    'Chrome’s name of it: Firefox’s own `Element.openOrClosedShadowRoot` is used where it is there.',
  ],
];

/** @returns why the warning stays; undefined for an unknown warning. */
export const explanationOf = ({ code, message }: LintWarning): string | undefined =>
  explanations.find(([known, part]) => known === code && message.includes(part))?.[2];

export function reviewerNotes({ version, system, tools, packages, warnings }: BuildFacts): string {
  const lines = (rows: Record<string, string>, separator: string) =>
    Object.entries(rows).map(([name, value]) => `  ${name}${separator}${value}`);
  return `${[
    `Dialmark ${version}: notes for reviewers`,
    '',
    `Built on ${system}, with`,
    ...lines(tools, ' '),
    '',
    'To build the same bytes, unpack the sources and run in their folder:',
    '  npm ci',
    '  npm run build -- chrome firefox',
    'dist/firefox then holds the files of the xpi, dist/chrome those of the two zips. ' +
      'Nothing is downloaded but by npm ci, with the',
    'versions and hashes in package-lock.json. Code is bundled by Vite and minified by its own minifier. ' +
      'No code is loaded at run',
    'time.',
    '',
    'Packages, sha256:',
    ...lines(packages, '  '),
    '',
    'Warnings of web-ext lint that stay:',
    ...warnings.map(
      (warning) => `  ${warning.code} in ${warning.file}: ${warning.message}. ${explanationOf(warning)}`,
    ),
  ].join('\n')}\n`;
}
