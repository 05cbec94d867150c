/**
 * Runs a fetch handler as an HTTP server on Node, and serves media from a folder.
 *
 * @packageDocumentation
 */

export { createDirectoryMediaSource, type DirectoryMediaSourceOptions } from './create-directory-media-source.ts';
export type { RequestEndEvent, RequestOutcome } from './request-observer.ts';
export { type RunningServer, serve } from './serve.ts';
export type { ServeOptions } from './serve-options.ts';
