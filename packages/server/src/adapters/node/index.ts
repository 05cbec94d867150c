/**
 * Serving on Node: an HTTP server for a fetch handler, and media from a directory.
 *
 * @packageDocumentation
 */
export { type RunningServer, type ServeOptions, serve } from './serve.ts';
