/**
 * What needs Node's own modules: media on disk.
 *
 * @packageDocumentation
 */

export { type SavedMedia, type SaveMediaOptions, saveMedia } from './save-media.ts';
