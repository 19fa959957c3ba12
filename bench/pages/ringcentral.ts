/**
 * ringcentral-c2d as its README sets it up, for an agent in Brazil, with a widget that records what the
 * pointer is over.
 */
import RingCentralC2D from 'ringcentral-c2d/build/index.js';

interface Hovered {
  context?: { phoneNumber?: string };
}

/** Its published bundle takes no country; it looks for numbers only after this turn. */
interface Peer {
  observer: { _props: { matcher: { _props: { countryCode?: string } } } };
}

const peer = new RingCentralC2D({
  widget: {
    setTarget: (item?: Hovered) => {
      document.documentElement.dataset.hovered = item?.context?.phoneNumber ?? '';
    },
  },
}) as Peer;
peer.observer._props.matcher._props.countryCode = 'BR';
