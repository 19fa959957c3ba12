/**
 * The file of a thread or a child of the relay, which the build puts beside it. From source (tests, benches, the demo)
 * it is the built one, too, which they build first: TypeScript takes a thread two seconds to load.
 */
export function builtProgram(name: 'store-worker' | 'list-builder'): URL {
  const folder = import.meta.url.endsWith('.ts') ? '../dist/relay' : '.';
  return new URL([folder, `${name}.js`].join('/'), import.meta.url);
}
