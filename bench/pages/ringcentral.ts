/** Sets ringcentral-c2d up as its README does, for Brazil. Its widget records the number under the pointer. */
import RingCentralC2D from 'ringcentral-c2d/build/index.js';

interface Hovered {
  context?: { phoneNumber?: string };
}

/** Its published bundle does not accept a country. It reads this property later, when it looks for numbers. */
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
