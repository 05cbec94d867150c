import { isMemoryApiError } from '@memory-read/client';
import { isToolError } from './tool-error.ts';

/** Returns advice for the model about an error. It contains no text of the service. */
export function explain(error: unknown): string {
  if (isToolError(error)) return error.message;
  if (isDamage(error)) {
    return 'Failed to read the memory: it is damaged in the mirror. Tell the user to run memory-read mirror --repair. Do not try again.';
  }
  if (!isMemoryApiError(error)) {
    return 'Failed to read memories: an unexpected error occurred. Tell the user. Do not try again.';
  }
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

/** Returns whether an error of a mirror says that a memory is damaged. The package of the mirror may not be installed. */
export function isDamage(error: unknown): boolean {
  const { name, code } = Object(error);
  return name === 'MirrorError' && code === 'damaged';
}
