import type { AnyMemoryApiError } from '@memory-read/client';

/** Returns advice for the model about an error. It contains nothing that came from the service. */
export function explain(error: AnyMemoryApiError): string {
  switch (error.code) {
    case 'not_found':
      return 'There is no memory with this id. Take an id from list_memories.';
    case 'configuration':
    case 'invalid_request':
      return 'This is no id of a memory. Take an id from list_memories.';
    case 'authentication':
      return 'The memories cannot be read: their service does not accept the key. Tell the user to check it; do not try again.';
    case 'rate_limited':
    case 'server':
    case 'timeout':
    case 'connection':
      return 'The memories cannot be read at the moment. Try again once; if that fails too, tell the user.';
    default:
      return 'The memories cannot be read: their service answers something unexpected. Tell the user; do not try again.';
  }
}
