/** ringcentral-c2d as its README sets it up, with a widget that records what the pointer is over. */
import RingCentralC2D from 'ringcentral-c2d/build/index.js';

interface Hovered {
  context?: { phoneNumber?: string };
}

new RingCentralC2D({
  widget: {
    setTarget: (item?: Hovered) => {
      document.documentElement.dataset.hovered = item?.context?.phoneNumber ?? '';
    },
  },
});
