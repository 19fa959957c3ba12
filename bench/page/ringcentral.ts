/** ringcentral-c2d as its README sets it up, from the bundle that its makers publish. It takes numbers for American ones. */
import RingCentralC2D from 'ringcentral-c2d/build/index.js';

new RingCentralC2D();
