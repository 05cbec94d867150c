/** Builds and serves the website. */

export { buildSite } from './build-site.ts';
export { type ServedSite, serveSite } from './serve-site.ts';
