import { createReceipt, transcriptDigest, verifyReceipt } from '@memory-read/mcp/receipt';
import type { Row } from '../measurement/row.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { pairedRatio, spreadOf } from '../measurement/statistics.ts';
import { time } from '../measurement/time.ts';
import { spokenAccount } from '../memories/spoken-memories.ts';

export const receiptVerification: Row = {
  id: 'receipt-verification',
  title: 'Receipts: a valid one',
  method:
    '`verifyReceipt` checks a quote of one segment in the middle of a long transcript. `transcriptDigest` computes the SHA-256 of the whole transcript, which each verification needs.',
  async measure({ sizes }) {
    const [memory] = spokenAccount(sizes.segments, 1).memories;
    if (memory === undefined) throw new Error('The account has no memory.');
    const middle = Math.floor(sizes.segments / 2);
    const receipt = createReceipt(memory, { segments: [middle, middle] });
    const { status } = verifyReceipt(receipt, memory);
    if (status !== 'valid') throw new Error(`Failed to verify a receipt: it is ${status}. Make a valid one.`);
    const { verify, digest } = await runRounds(sizes.rounds, {
      verify: () => time(() => verifyReceipt(receipt, memory)),
      digest: () => time(() => transcriptDigest(memory)),
    });
    return {
      findings: [
        {
          what: `${sizes.segments.toLocaleString('en')} segments, against the digest alone`,
          value: pairedRatio(verify, digest),
          unit: '×',
          goal: { atMost: 3 },
        },
        { what: 'Only the digest', value: spreadOf(digest), unit: 'ms' },
      ],
    };
  },
};
