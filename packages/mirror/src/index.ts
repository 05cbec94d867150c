/**
 * A local replica of an account's memories: searchable, offline, with its history.
 *
 * @packageDocumentation
 */

// Handle errors

export { isMirrorError, MirrorError, type MirrorErrorCode } from './errors/mirror-error.ts';

// Write pages

export type { PagesReport, PageWarning } from './pages/write-pages.ts';
