import { expect, test } from 'vitest';
import { spokenMemory } from '../testing/spoken-memory.ts';
import { findQuote } from './find-quote.ts';
import { transcriptDigest } from './transcript-digest.ts';
import { verifyReceipt } from './verify-receipt.ts';

const readAt = new Date('2026-08-21T00:00:00Z');
const memory = spokenMemory([
  ['Speaker 1', 'I disagree. I agree with “the plan”—mostly.'],
  ['Speaker 1', ' So do\u200b we. '],
  ['Speaker 2', 'So do we. We can’t stop.'],
  ['Speaker 1', '\u200b'],
  ['Speaker 1', '私は犬が好きです'],
]);

test('returns a receipt with speaker, time, position and version', () => {
  expect(findQuote(memory, 'agree with "the plan"-mostly. So', { readAt })).toEqual({
    occurrences: 1,
    receipts: [
      {
        memory_id: 'mem_1',
        transcript_digest: transcriptDigest(memory),
        segments: [0, 1],
        chars: [14, 46],
        speaker: 'Speaker 1',
        start_ms: 0,
        end_ms: 3_900,
        quote: 'agree with “the plan”—mostly. So',
        read_at: '2026-08-21T00:00:00.000Z',
      },
    ],
  });
});

test('finds every occurrence, but no words of two speakers', () => {
  const { receipts, occurrences } = findQuote(memory, 'So do we');
  expect(receipts.map(({ segments, chars }) => [segments, chars])).toEqual([
    [
      [1, 1],
      [0, 8],
    ],
    [
      [2, 2],
      [0, 8],
    ],
  ]);
  expect(occurrences).toBe(2);
  expect(findQuote(memory, 'So do we', { limit: 1 })).toMatchObject({
    occurrences: 2,
    receipts: [{ segments: [1, 1] }],
  });
  expect(findQuote(memory, 'So do we. So do we.').occurrences).toBe(0);
});

test.each(['犬', '好きです', '私は犬が好きです'])('finds %s in a script without spaces', (quote) => {
  expect(findQuote(memory, quote)).toMatchObject({ occurrences: 1, receipts: [{ segments: [4, 4] }] });
});

test.each(['agre', 'gree', 'Agree', 'We can', 'I  disagree!', '.', '—', '', ' ', 'isagree', 'mostly So'])(
  'does not find %j',
  (quote) => {
    expect(findQuote(memory, quote)).toEqual({ receipts: [], occurrences: 0 });
  },
);

test.each([
  ['I can´t do it', 'I can'],
  ['It costs 1\u202f500 euros', '500 euros'],
  ['a loss of –500 euros', '500 euros'],
  ['non－stop', 'stop'],
])('does not find a part of a word: %j', (text, quote) => {
  expect(findQuote(spokenMemory([['Speaker 1', text]]), quote).occurrences).toBe(0);
});

test('judges words within their segments', () => {
  const turns = spokenMemory([
    ['Speaker 1', 'We sold 1'],
    ['Speaker 1', '500 people came'],
    ['Speaker 1', '200 left'],
  ]);
  for (const quote of ['500 people', '500 people came', '200 left']) {
    const { receipts } = findQuote(turns, quote);
    expect(receipts).toHaveLength(1);
    expect(verifyReceipt(receipts[0], turns)).toMatchObject({ status: 'valid' });
  }
});

test('returns valid receipts, which are whole only if they have all words of their segments', () => {
  for (const [quote, whole] of [
    ['I disagree', false],
    ['So do we. We can’t stop.', true],
    ['I disagree. I agree with “the plan”—mostly. So do we.', true],
  ] as const) {
    const [receipt] = findQuote(memory, quote).receipts;
    expect(verifyReceipt(receipt, memory)).toEqual({ status: 'valid', whole });
  }
});

test('finds nothing in a memory without a transcript', () => {
  expect(findQuote({ ...memory, transcript: null }, 'agree')).toEqual({ receipts: [], occurrences: 0 });
});

test('finds many words in one turn in linear time', () => {
  const long = spokenMemory([['Speaker 1', '的'.repeat(200_000)]]);
  expect(findQuote(long, `${'的'.repeat(2_000)}a`).occurrences).toBe(0);
  expect(findQuote(long, '的的').occurrences).toBe(100_000);
});

test('finds words in many segments of one speaker', () => {
  const many = spokenMemory(Array.from({ length: 10_000 }, () => ['Speaker 1', 'apple'] as const));
  const { receipts, occurrences } = findQuote(many, 'apple');
  expect(occurrences).toBe(10_000);
  expect(receipts.map(({ segments }) => segments)).toEqual([
    [0, 0],
    [1, 1],
    [2, 2],
  ]);
});

test.each([
  [['来週のプロ', 'ジェクト会議は木曜日です。'], 'プロジェクト会議', 'プロジェクト会議'],
  [['来週のプロ', 'ジェクト会議は木曜日です。'], 'プロ ジェクト会議', 'プロジェクト会議'],
  [['来週の プロ', 'ジェクト'], '来週のプロジェクト', '来週の プロジェクト'],
  [['我们下周', '开会。'], '下周开会', '下周开会'],
  [['ประ', 'ชุม'], 'ประชุม', 'ประชุม'],
  [['API', 'を呼ぶ'], 'APIを呼ぶ', 'API を呼ぶ'],
  [['はい。', '「次」'], 'はい。 「次」', 'はい。「次」'],
] as const)('%j has the quote %s', (texts, quote, found) => {
  const memory = spokenMemory(texts.map((text) => ['Speaker 1', text]));
  const { receipts, occurrences } = findQuote(memory, quote);
  expect([occurrences, receipts[0]?.quote]).toEqual([1, found]);
  expect(verifyReceipt(receipts[0], memory).status).toBe('valid');
});

test('white space between words of other scripts counts', () => {
  const memory = spokenMemory([['Speaker 1', 'We cannot. 다음 주']]);
  for (const quote of ['We can not', '다음주']) expect(findQuote(memory, quote).occurrences).toBe(0);
});
