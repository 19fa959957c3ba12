/**
 * The program of a worker thread or a child process of the relay. The build puts it beside the relay. A relay that runs
 * from source (tests, benches, the demo) uses the built file, too, which must be built first. TypeScript takes a thread
 * two seconds to load.
 */
export function builtProgram(name: 'store-worker' | 'list-builder'): URL {
  const folder = import.meta.url.endsWith('.ts') ? '../dist/relay' : '.';
  return new URL([folder, `${name}.js`].join('/'), import.meta.url);
}
