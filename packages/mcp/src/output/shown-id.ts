import { ToolError } from './tool-error.ts';

export { encodeId } from '../receipt/encode-id.ts';

/** With escapes, an id of 256 characters can be nine times as long. */
export const LONGEST_ID = 3_072;

/** Returns the id of an encoded id. */
export function decodeId(shown: string): string {
  try {
    return decodeURIComponent(shown);
  } catch {
    throw new ToolError('Failed to read the memory: the id is invalid. Take an id from search or list_memories.');
  }
}
