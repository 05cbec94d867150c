/**
 * Serving on Node: an HTTP server for a fetch handler, and media from a directory.
 *
 * @packageDocumentation
 */

export { createDirectoryMediaSource, type DirectoryMediaSourceOptions } from './create-directory-media-source.ts';
export { type RunningServer, type ServeOptions, serve } from './serve.ts';
