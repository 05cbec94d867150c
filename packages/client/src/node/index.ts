/**
 * Functions for Node.js: saving media to disk.
 *
 * @packageDocumentation
 */

export { type MediaToSave, type SavedMedia, type SaveMediaOptions, saveMedia } from './save-media.ts';
