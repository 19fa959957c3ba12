import { h } from 'preact';

/** Set by the server when this site has a relay; see `crm-host.ts`. */
const relay = document.querySelector<HTMLMetaElement>('meta[name="dialmark-relay"]')?.content;

/** Where the site embeds the widget (docs/embedders.md): one element, and a ticket from the site's own server. */
export function CallPanel() {
  return (
    <section aria-labelledby="calls">
      <h2 id="calls">Calls</h2>
      {relay ? (
        h('dialmark-widget', { relay, 'ticket-url': '/dialmark-ticket', country: 'BR' })
      ) : (
        <p class="empty">Calls are followed here once a relay is connected.</p>
      )}
    </section>
  );
}
