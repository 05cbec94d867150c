import { MemoryClient } from '@memory-read/client';
import { createReceipt, transcriptDigest, visibleText } from '@memory-read/mcp/receipt';

const client = new MemoryClient();
const memory = await client.getMemory('mem_2');

// #region passage
const receipt = createReceipt(memory, { segments: [0, 0], chars: [0, 13] });
console.log(receipt?.quote ?? 'This segment has no such words.');
// #endregion

// #region digest
const isSame = transcriptDigest(memory) === transcriptDigest(await client.getMemory('mem_2'));
console.log(isSame ? 'Every receipt is still valid.' : 'The transcript has changed.');
// #endregion

// #region visible-text
console.log(visibleText('We ship\u202e\n on Friday, I think.', 20));
// #endregion
