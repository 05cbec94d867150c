/**
 * Serving on Node: an HTTP server for a fetch handler, and media from a directory.
 *
 * @packageDocumentation
 */

export { createDirectoryMediaSource, type DirectoryMediaSourceOptions } from './create-directory-media-source.ts';
export type { RequestEndEvent, RequestOutcome } from './request-observer.ts';
export { type RunningServer, serve } from './serve.ts';
export type { ServeOptions } from './serve-options.ts';
