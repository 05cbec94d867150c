import { edgeCases } from '@memory-read/fixtures';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { acceptedMutations, mutations } from '../testing/mutate-receipts.ts';
import recorded from '../testing/recorded-receipts.json' with { type: 'json' };
import { spokenMemory } from '../testing/spoken-memory.ts';
import { createReceipt } from './create-receipt.ts';
import { findQuote } from './find-quote.ts';
import type { Receipt } from './receipt.ts';
import { verifyReceipt } from './verify-receipt.ts';

const memory = spokenMemory([
  ['Speaker 1', 'We ship on Friday.'],
  ['Speaker 2', 'Agreed.'],
  ['Speaker 1', 'We ship on Friday.'],
]);
const receipt = createReceipt(memory, { segments: [2, 2] }) as Receipt;

test('none of 10,000 mutated receipts is valid', () => {
  const accepted = acceptedMutations(10_000, 20_261_123);
  console.log(`Mutated receipts: ${accepted.length} of 10000 valid; the kinds: ${Object.keys(mutations).join(', ')}`);
  expect(Object.keys(mutations)).toHaveLength(23);
  expect(accepted).toEqual([]);
});

test.each([
  [{ quote: '' }, 'malformed'],
  ...[
    'x',
    'sha256-',
    receipt.transcript_digest.slice(0, -1),
    receipt.transcript_digest.replace('sha256', 'sha512'),
  ].map((digest): [object, string] => [{ transcript_digest: digest }, 'malformed']),
  [{ transcript_digest: `${receipt.transcript_digest}=` }, 'malformed'],
  [{ transcript_digest: receipt.transcript_digest.replace(/.$/, 'B') }, 'malformed'],
  ...['%', 'mem 1', 'mem_1\u200d', '%6d'].map((id): [object, string] => [{ memory_id: id }, 'malformed']),
  [{ memory_id: 'mem_2', quote: 'x' }, 'memory'],
  [{ segments: [2, 3], speaker: 'x' }, 'segments'],
  [{ segments: [1, 2] }, 'speaker'],
  [{ speaker: 'Speaker 2', quote: 'x' }, 'speaker'],
  [{ quote: 'x', start_ms: 1 }, 'quote'],
  [{ chars: [0, 400] }, 'quote'],
  [{ end_ms: 1 }, 'time'],
  [{ read_at: 'never' }, undefined],
])('refutes %j by its %s', (change, reason) => {
  const verdict = verifyReceipt({ ...receipt, ...change }, memory);
  expect(verdict).toEqual(reason === undefined ? { status: 'valid', whole: true } : { status: 'refuted', reason });
});

test('a segment that the quote does not touch refutes', () => {
  const turns = spokenMemory([
    ['Speaker 1', 'We ship on Friday.'],
    ['Speaker 1', 'Not before.'],
  ]);
  const [first] = findQuote(turns, 'on Friday').receipts;
  const wider = { ...first, segments: [0, 1], end_ms: 3_900 };
  expect(verifyReceipt(wider, turns)).toEqual({ status: 'refuted', reason: 'segments' });
});

test('a changed transcript supersedes, and the same words of the same speaker are found near their time', () => {
  const changed = spokenMemory([
    ['Speaker 1', 'We ship on Friday.'],
    ['Speaker 2', 'We ship on Friday.'],
    ['Speaker 1', 'Yes. We ship on Friday.'],
  ]);
  const verdict = verifyReceipt(receipt, changed);
  expect(verdict).toMatchObject({ status: 'superseded', foundAt: { segments: [2, 2], chars: [5, 23] } });
  if (verdict.status === 'superseded') {
    expect(verifyReceipt(verdict.foundAt, changed)).toEqual({ status: 'valid', whole: false });
  }
  const other = spokenMemory([['Speaker 2', 'We ship on Friday.']]);
  expect(verifyReceipt(receipt, other)).toEqual({ status: 'superseded', foundAt: null });
  expect(verifyReceipt(receipt, { ...memory, transcript: null })).toEqual({ status: 'superseded', foundAt: null });
});

/** Receipts that an earlier version wrote, and where their words are now; null if they are no words of their own. */
const superseded: Record<string, string | null> = {
  'to it': 'to it',
  'I can\u200dnot a\u200cgree': 'I cannot agree',
  'text now': 'text now',
  '\u{13430}hidden\u{1343f} text': 'hidden text',
  'One\u2800two': 'One two',
  'note here': 'note here',
  'A \u{1d159} note': 'A note',
  // The joiner of this word was removed.
  'র\u09cdযাব ন\u09cd আসে।': null,
  '5 or 1': null,
  '5 of them': null,
  'I can': null,
  't do it': null,
  '5 too': null,
  '5': null,
  '7 or': null,
  '2.': null,
};

test.each(recorded)('a receipt of an earlier version is valid or superseded, never refuted: $text', (before) => {
  const memory = spokenMemory([before.text].flat().map((text) => ['Speaker 1', text]));
  for (const receipt of before.receipts) {
    const verdict = verifyReceipt(receipt, memory);
    const now = superseded[receipt.quote];
    const foundAt = now && expect.objectContaining({ quote: now });
    expect(verdict).toEqual(
      now === undefined ? { status: 'valid', whole: expect.any(Boolean) } : { status: 'superseded', foundAt },
    );
    if (verdict.status === 'superseded' && verdict.foundAt !== null)
      expect(verifyReceipt(verdict.foundAt, memory).status).toBe('valid');
    // What is wrong by the rules of both versions stays refuted.
    expect(verifyReceipt({ ...receipt, quote: `${receipt.quote}x` }, memory).status).toBe('refuted');
  }
});

test('detects that a memory was changed in place', () => {
  const own = structuredClone(memory);
  expect(verifyReceipt(receipt, own).status).toBe('valid');
  for (const segment of own.transcript?.segments ?? []) segment.text += ' Or not.';
  expect(verifyReceipt(receipt, own).status).toBe('superseded');
});

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a text', 'receipt'],
  ['an array', []],
  ['a getter that throws', Object.defineProperty({ ...receipt }, 'quote', { get: () => fail() })],
  ['a revoked proxy', revoked()],
  ['a range that is a revoked proxy', { ...receipt, chars: revoked() }],
  ['a proxy that throws', new Proxy(receipt, { get: () => fail() })],
])('refutes %s as malformed', (_, value) => {
  expect(verifyReceipt(value, memory)).toEqual({ status: 'refuted', reason: 'malformed' });
});

test('reads every field once', () => {
  let reads = 0;
  const shifty = Object.defineProperty({ ...receipt }, 'quote', {
    enumerable: true,
    get: () => (reads++ === 0 ? receipt.quote : fail()),
  });
  expect(verifyReceipt(shifty, memory)).toEqual({ status: 'valid', whole: true });
});

test('writes to neither argument', () => {
  const frozen = deepFreeze(structuredClone(memory));
  expect(verifyReceipt(deepFreeze(structuredClone(receipt)), frozen).status).toBe('valid');
  expect(findQuote(frozen, 'Agreed').occurrences).toBe(1);
});

test.each(Object.entries(edgeCases))('accepts a receipt of each segment of %s with words', (_, edgeCase) => {
  const memory = sampleMemory({ ...edgeCase });
  const count = Math.min(memory.transcript?.segments.length ?? 0, 5);
  for (let index = 0; index < count; index += 1) {
    const own = createReceipt(memory, { segments: [index, index] });
    if (own === undefined) continue;
    expect(verifyReceipt(JSON.parse(JSON.stringify(own)), memory)).toEqual({ status: 'valid', whole: true });
    if (/[\p{L}\p{N}]/u.test(own.quote)) expect(findQuote(memory, own.quote).occurrences).toBeGreaterThan(0);
  }
});

test('does not throw for a response that was not validated', () => {
  for (const segments of [undefined, 'x', [null], [{}], [{ speaker: 1, text: null }]]) {
    const strange = { ...memory, transcript: { segments } } as never;
    expect(verifyReceipt(receipt, strange)).toEqual({ status: 'superseded', foundAt: null });
  }
});

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  return proxy;
}

function fail(): never {
  throw new Error('unexpected read');
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null)
    for (const part of Object.values(Object.freeze(value))) deepFreeze(part);
  return value;
}
