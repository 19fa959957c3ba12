/** Who publishes the extension: a company that builds and signs its own changes these, here alone. */
export const publisher = {
  /** Firefox's id, which policies and managed values name. Chrome and Edge assign theirs on the first upload. */
  geckoId: 'dialmark@dialmark.example',
  /** The `homepage_url` of the stores and of the browsers' lists of extensions. */
  homepage: 'https://dialmark.example/',
};
