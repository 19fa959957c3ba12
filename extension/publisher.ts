/** Who publishes the extension. A company that builds and signs its own extension changes these values, only here. */
export const publisher = {
  /**
   * The id in Firefox, which policies and managed values use. Chrome and Edge assign their own id on the first upload.
   */
  geckoId: 'dialmark@dialmark.example',
  /** The `homepage_url` of the stores and of the browsers' lists of extensions. */
  homepage: 'https://dialmark.example/',
};
