/**
 * Functions for Node.js: saving media to disk.
 *
 * @packageDocumentation
 */

export { type SavedMedia, type SaveMediaOptions, saveMedia } from './save-media.ts';
