/** The published bundle has no types of its own. */
declare module 'ringcentral-c2d/build/index.js' {
  const RingCentralC2D: new (options?: object) => unknown;
  export default RingCentralC2D;
}
