/**
 * Preact without what the widget never uses. Nobody here defines a lifecycle method, a ref, a portal or a hook of `options`, so
 * reading one gives undefined in any case; written down as a constant, the minifier drops what hangs on it. The pictures in
 * `e2e/` and the gallery are drawn by what is left.
 */
const neverDefined = [
  ...['getDerivedStateFromProps', 'getDerivedStateFromError', 'getSnapshotBeforeUpdate', 'getChildContext'],
  ...['componentWillMount', 'componentDidMount', 'componentWillReceiveProps', 'shouldComponentUpdate'],
  ...[
    'componentWillUpdate',
    'componentDidUpdate',
    'componentWillUnmount',
    'componentDidCatch',
    'contextType',
  ],
  ...['ref', 'is', 'defaultValue'],
  ...['vnode', 'diffed', 'unmount', 'event', 'debounceRendering'],
];

/** What it is, how preact.mjs writes it, and its value here. */
const constants: [string, RegExp, string][] = [
  ['never defined', new RegExp(`[\\w$.]+\\.(?:${neverDefined.join('|')})\\b(?!=[^=])`, 'g'), 'void 0'],
  ['raw HTML', /"dangerouslySetInnerHTML"==\w/g, 'false'],
  ['the style attribute', /"style"==\w/g, 'false'],
  ['setting state', /\w+\.prototype\.(?:setState|forceUpdate)=/g, '0&&'],
  ['the target of a portal', /\b\w+\.props\.__P\b/g, 'void 0'],
  ['the flag of a suspended tree', /\b128&\w+\.__u\b/g, '0'],
  ['the flag of hydration', /\b32&\w+\.__u\b/g, '0'],
  ['a promise that was thrown', /\bt&&t\.then\b/g, '0'],
];

/** @param code of `preact.mjs`. @throws Error where a pattern matches nothing any more: look at the new version. */
export function preactWeUse(code: string): string {
  return constants.reduce((text, [what, pattern, value]) => {
    if (text.search(pattern) < 0)
      throw new Error(`lean Preact: "${what}" is written differently now: ${pattern}`);
    return text.replace(pattern, value);
  }, code);
}
