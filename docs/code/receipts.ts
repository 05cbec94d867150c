import { MemoryClient } from '@memory-read/client';
import { findQuote, verifyReceipt } from '@memory-read/mcp/receipt';

const client = new MemoryClient();
// #region find
const memory = await client.getMemory('mem_2');
const { receipts } = findQuote(memory, 'fog horn');
for (const { speaker, start_ms, quote } of receipts) console.log(`${speaker}, after ${start_ms} ms: ${quote}`);
// #endregion

// Later, or in another program: a receipt is JSON.
// #region verify
for (const receipt of receipts) {
  const verdict = verifyReceipt(receipt, await client.getMemory('mem_2'));
  if (verdict.status === 'valid') console.log(verdict.whole ? 'all of the words' : 'a part of the words');
  else if (verdict.status === 'superseded') console.log('The transcript has changed.', verdict.foundAt);
  else console.log(`The receipt is wrong about the ${verdict.reason}.`);
}
// #endregion
