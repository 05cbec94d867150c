import { isMemoryApiError } from '@memory-read/client';
import { ToolError } from './tool-error.ts';

/** Returns advice for the model about an error. It contains no text of the service. */
export function explain(error: unknown): string {
  if (error instanceof ToolError) return error.message;
  if (!isMemoryApiError(error)) {
    return 'Failed to read memories: an unexpected error occurred. Tell the user. Do not try again.';
  }
  if (isUnknownId(error)) return unknownMemory;
  switch (error.code) {
    case 'authentication':
      return 'Failed to read memories: the service rejected the API key. Tell the user to check the key. Do not try again.';
    case 'rate_limited':
    case 'server':
    case 'timeout':
    case 'connection':
      return 'Failed to read memories: the service is not available at the moment. Try again once. If that fails too, tell the user.';
    default:
      return 'Failed to read memories: the response of the service was invalid. Tell the user. Do not try again.';
  }
}

/** Advice about an id that no memory has. */
export const unknownMemory =
  'Failed to read the memory: no memory has this id. Take an id from search or list_memories.';

/** Returns whether reading a memory failed because its id leads to none. */
export function isUnknownId(error: unknown): boolean {
  if (error instanceof ToolError) return true;
  return isMemoryApiError(error) && ['not_found', 'configuration', 'invalid_request'].includes(error.code);
}
