import { ToolError } from './tool-error.ts';

export { encodeId } from '../receipt/encode-id.ts';

/** The client accepts ids of 1,024 characters. With escapes, each can be twelve times as long. */
export const LONGEST_ID = 12_288;

/** Returns the id of an encoded id, or of the URL of a resource. */
export function decodeId(shown: string): string {
  try {
    return decodeURIComponent(shown.replace(/^memory:\/\//, ''));
  } catch {
    throw new ToolError('Failed to read the memory: the id is invalid. Take an id from search or list_memories.');
  }
}
