/** The published bundle does not have types. */
declare module 'ringcentral-c2d/build/index.js' {
  const RingCentralC2D: new (options?: object) => unknown;
  export default RingCentralC2D;
}
