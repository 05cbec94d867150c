/** Builds, searches and serves the website. */

export { buildSite } from './build-site.ts';
export { publishedEntries } from './published-entries.ts';
export { createSearch } from './search/search-sections.ts';
export { type ServedSite, serveSite } from './serve-site.ts';
