/** A part of a page that the search finds: what stands below one heading. */
export interface Section {
  /** Its heading; in the API reference, the name. */
  title: string;
  /** The title of its page. */
  page: string;
  /** Path of the page below the site, with the anchor of the heading. */
  url: string;
  text: string;
  /** Factor of the score: guides come before decisions and internals. */
  boost: number;
}
