import { expect, test } from 'vitest';
import { readName } from './read-name.ts';

test.each([
  ['  Ada\n Love\u200blace ', 'Ada Lovelace', 'ada lovelace'],
  ['ÁDA', 'ÁDA', 'ada'],
  ['田中', '田中', '田中'],
  ['???', '???', '???'],
  ['👩🏽‍🚀', '👩🏽‍🚀', '👩🏽‍🚀'],
  ['Speaker', 'Speaker', 'speaker'],
  ['Speaker of the House', 'Speaker of the House', 'speaker of the house'],
  ['x'.repeat(100), 'x'.repeat(100), 'x'.repeat(64)],
])('%j is the name %j', (text, name, folded) => {
  expect(readName('name the speaker', text)).toEqual({ name, folded });
});

test.each([
  ['', 'the name has no visible character'],
  [' \u200b\u202e\n', 'the name has no visible character'],
  ['x'.repeat(101), 'the name has 101 UTF-16 units'],
  ['😀'.repeat(51), 'the name has 102 UTF-16 units'],
  ['Speaker 1', '"Speaker 1" is a label, not a name'],
  [' SPÉAKER\t12\u200b', '"SPÉAKER 12" is a label, not a name'],
  ['speaker-１', '"speaker-１" is a label, not a name'],
])('%j is not a name: %s', (text, reason) => {
  expect(() => readName('name the speaker', text)).toThrow(
    expect.objectContaining({
      code: 'invalid_option',
      message: expect.stringContaining(`Failed to name the speaker: ${reason}. Pass `),
    }),
  );
});
