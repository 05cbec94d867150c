// #region first-error
import { isMemoryApiError, MemoryClient } from '@memory-read/client';

// #region switch
function explain(error: unknown): string {
  if (!isMemoryApiError(error)) throw error;
  switch (error.code) {
    case 'authentication':
      return `The key is not accepted (${error.reason}).`;
    case 'rate_limited':
    case 'server':
      return `Try again in ${error.retryAfterMs ?? 60_000} ms.`;
    default:
      return error.message;
  }
}
// #endregion

const client = new MemoryClient({ apiKey: 'mrk_unknown' });
await client.listMemories().catch((error: unknown) => console.log(explain(error)));
// #endregion
await client.getMemory('').catch((error: unknown) => console.log(explain(error)));
