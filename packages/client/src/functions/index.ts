/**
 * The functions behind `MemoryClient`, for bundles: a bundle holds only those that you import.
 *
 * Types, errors and helpers are those of `@memory-read/client`.
 *
 * @packageDocumentation
 */

export { type Client, createClient } from '../client.ts';
export { mediaUrl } from '../media/media-url-cache.ts';
export { openMedia } from '../media/open-media.ts';
export { watchMemories } from '../polling/list-watch.ts';
export { waitForMemories } from '../polling/wait-for-memories.ts';
export { waitForMemory } from '../polling/wait-for-memory.ts';
export { getMemory, listMemories } from '../read-memories.ts';
