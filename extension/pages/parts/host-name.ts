import { h } from 'preact';

/** @param host alone or in an address: a narrow page breaks it after a dot rather than within a name. */
export function HostName({ host }: { host: string }) {
  return host.split(/(?<=\.)/).flatMap((label) => [label, h('wbr', null)]);
}
