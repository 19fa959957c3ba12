import { h } from 'preact';

/** @param host alone or in an address. A narrow page breaks it after a dot, not inside a name. */
export function HostName({ host }: { host: string }) {
  return host.split(/(?<=\.)/).flatMap((label) => [label, h('wbr', null)]);
}
