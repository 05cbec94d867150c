import { expect, test } from 'vitest';
import { spokenMemory } from '../testing/spoken-memory.ts';
import { createReceipt } from './create-receipt.ts';
import { verifyReceipt } from './verify-receipt.ts';

const memory = spokenMemory([
  ['Speaker 1', 'We ship it on Friday.'],
  ['Speaker 1', 'Not before.'],
  ['Speaker 2', '\u200b'],
  ['Speaker 2', 'Fine.'],
]);

test('quotes the whole passage without chars', () => {
  const receipt = createReceipt(memory, { segments: [0, 1], readAt: new Date(0) });
  expect(receipt).toMatchObject({ chars: [0, 33], quote: 'We ship it on Friday. Not before.', end_ms: 3_900 });
  expect(verifyReceipt(receipt, memory)).toEqual({ status: 'valid', whole: true });
});

test.each([
  { segments: [0, 3] },
  { segments: [1, 2] },
  { segments: [2, 2] },
  { segments: [2, 3] },
  { segments: [3, 4] },
  { segments: [1, 0] },
  { segments: [-1, 0] },
  { segments: [0.5, 1] },
  { segments: [0, 0], chars: [0, 0] },
  { segments: [0, 0], chars: [0, 22] },
  { segments: [0, 0], chars: [0, 1] },
  { segments: [0, 0], chars: [2, 7] },
  { segments: [0, 0], chars: [0, 3] },
  { segments: [0, 1], chars: [0, 7] },
  { segments: [0, 1], chars: [22, 33] },
  { segments: [0, 0], chars: [Number.NaN, 2] },
] as const)('returns undefined for the passage %j', (passage) => {
  expect(createReceipt(memory, passage as never)).toBeUndefined();
});

test('encodes the id', () => {
  expect(createReceipt({ ...memory, id: 'a b/\u202e' }, { segments: [0, 0] })?.memory_id).toBe('a%20b%2F%E2%80%AE');
});

test('the times are the smallest start and the largest end, also of segments out of order', () => {
  const disordered = structuredClone(memory);
  const [first, second] = disordered.transcript?.segments ?? [];
  Object.assign(first as object, { start_at: '2026-08-20T10:00:05.000Z', end_at: '2026-08-20T10:00:30.000Z' });
  Object.assign(second as object, { start_at: '2026-08-20T10:00:01.000Z', end_at: '2026-08-20T10:00:04.000Z' });
  expect(createReceipt(disordered, { segments: [0, 1] })).toMatchObject({ start_ms: 1_000, end_ms: 30_000 });
});
