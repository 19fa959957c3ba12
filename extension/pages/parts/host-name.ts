import { h } from 'preact';

/** A host that a narrow page breaks after a dot rather than within a name. */
export function HostName({ host }: { host: string }) {
  return host.split(/(?<=\.)/).flatMap((label) => [label, h('wbr', null)]);
}
