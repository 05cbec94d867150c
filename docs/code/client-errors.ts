import { isMemoryApiError, isTransient, MemoryClient } from '@memory-read/client';

// #region switch
function explain(error: unknown): string {
  if (!isMemoryApiError(error)) throw error;
  if (error.code === 'processing_timeout' && error.cause) return explain(error.cause);
  console.error(error.message); // for your log
  switch (error.code) {
    case 'authentication':
      return `The key is not accepted (${error.reason}).`;
    case 'not_found':
      return 'This memory does not exist.';
    case 'processing_timeout':
      return error.memory ? 'The memory is still processing.' : 'The memories cannot be read. Try again later.';
    case 'rate_limited':
    case 'server':
      return `Try again in ${Math.ceil((error.retryAfterMs ?? 60_000) / 1000)} seconds.`;
    default:
      return `The memories cannot be read. ${isTransient(error) ? 'Try again later' : 'Contact the support'}.`;
  }
}
// #endregion

const client = new MemoryClient().withOptions({ apiKey: 'mrk_unknown' });
await client.listMemories().catch((error: unknown) => console.log(explain(error)));
await client.getMemory('').catch((error: unknown) => console.log(explain(error)));
await client.getMemory('mem_1').catch((error: unknown) => console.log(explain(error)));

const { port1: worker, port2: page } = new MessageChannel();
// #region threads
page.onmessage = ({ data }) => console.log(explain(data));
await client.listMemories().catch((error: unknown) => {
  worker.postMessage(isMemoryApiError(error) ? error.toJSON() : error);
});
// #endregion
await new Promise((resolve) => {
  page.addEventListener('close', resolve);
  worker.close();
});
