import { expect, test } from 'vitest';
import { spokenMemory } from '../testing/spoken-memory.ts';
import { findQuote } from './find-quote.ts';
import { quoteContext } from './quote-context.ts';
import type { Receipt } from './receipt.ts';

const long = 'and so on '.repeat(50);

test.each<[quote: string, lines: [string, string][], whole: boolean, context: string]>([
  [
    'we should resign now',
    [['A', 'Well, hello. I never said we should resign now. Not once.']],
    false,
    'I never said we should resign now.',
  ],
  ['We resign now.', [['A', 'We resign now.']], true, 'We resign now.'],
  // The words before it are in another segment.
  [
    'we should resign now',
    [
      ['A', 'Hello. I never said'],
      ['A', 'we should resign now'],
      ['A', 'or later. Bye.'],
    ],
    true,
    'I never said we should resign now or later.',
  ],
  [
    'we should resign now',
    [
      ['B', 'I never said'],
      ['A', 'we should resign now'],
      ['B', 'he asked'],
    ],
    true,
    'we should resign now',
  ],
  [
    'we should go',
    [['A', 'I never told Mr. Smith of the U.S. Senate that we should go. Yes.']],
    false,
    'I never told Mr. Smith of the U.S. Senate that we should go.',
  ],
  ['no. We stay', [['A', 'Is it so? I say no. We stay here. Bye.']], false, 'I say no. We stay here.'],
  ['辞めるべきだ', [['A', 'はい。辞めるべきだとは言っていません。以上。']], false, '辞めるべきだとは言っていません。'],
  ['teal', [['A', `${long}teal ${long}`]], false, `…${long.slice(-200)}teal ${long.slice(0, 199).trimEnd()}…`],
  [
    `${long}teal`,
    [['A', `So ${long}teal.`]],
    false,
    `So ${long.slice(0, 200).trimEnd()} … ${`${long}teal`.slice(-200)}.`,
  ],
])('the context of %j in %j: whole %s, %j', (quote, lines, whole, context) => {
  const memory = spokenMemory(lines);
  const [receipt] = findQuote(memory, quote.trim()).receipts;
  expect(quoteContext(memory, receipt as Receipt)).toEqual({ whole, context });
});
