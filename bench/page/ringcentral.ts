/** ringcentral-c2d as its README sets it up, from its published bundle. It reads numbers as American ones. */
import RingCentralC2D from 'ringcentral-c2d/build/index.js';

new RingCentralC2D();
