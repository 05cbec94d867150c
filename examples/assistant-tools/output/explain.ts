import type { AnyMemoryApiError } from '@memory-read/client';

/** Returns advice for the model about an error. It contains nothing that came from the service. */
export function explain(error: AnyMemoryApiError): string {
  switch (error.code) {
    case 'not_found':
      return 'Failed to read the memory: no memory has this id. Take an id from list_memories.';
    case 'configuration':
    case 'invalid_request':
      return 'Failed to read the memory: the id is invalid. Take an id from list_memories.';
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
