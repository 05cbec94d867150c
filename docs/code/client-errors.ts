// #region first-error
import { isMemoryApiError, isTransient, MemoryClient } from '@memory-read/client';

// #region switch
function explain(error: unknown): string {
  if (!isMemoryApiError(error)) throw error;
  switch (error.code) {
    case 'authentication':
      return `The key is not accepted (${error.reason}).`;
    case 'not_found':
      return 'This memory does not exist.';
    case 'connection':
    case 'timeout':
      return 'The server cannot be reached. Try again later.';
    case 'processing_timeout':
      if (error.cause) return explain(error.cause);
      return error.memory ? 'The memory is still processing.' : 'The server cannot be reached. Try again later.';
    case 'rate_limited':
    case 'server':
      return `Try again in ${Math.ceil((error.retryAfterMs ?? 60_000) / 1000)} seconds.`;
    default:
      console.error(error.message); // for the log
      return isTransient(error) ? 'Try again later.' : 'This cannot work. Contact the support.';
  }
}
// #endregion

const client = new MemoryClient({ apiKey: 'mrk_unknown' });
await client.listMemories().catch((error: unknown) => console.log(explain(error)));
// #endregion
await client.getMemory('').catch((error: unknown) => console.log(explain(error)));
await client.getMemory('mem_1').catch((error: unknown) => console.log(explain(error)));
