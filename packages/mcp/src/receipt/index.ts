/**
 * Receipts: quotes of memories that you can verify against the memory. The functions are pure and run in any runtime.
 *
 * @packageDocumentation
 */

// Make receipts

export { createReceipt, type QuotedPassage } from './create-receipt.ts';
export { type FindQuoteOptions, type FoundQuote, findQuote } from './find-quote.ts';
export type { Receipt } from './receipt.ts';

// Verify receipts

export { type ReceiptVerdict, type RefutedReason, verifyReceipt } from './verify-receipt.ts';

// Texts and digests

export { visibleText } from '@memory-read/contract/visible-text';
export { transcriptDigest } from './transcript-digest.ts';
