import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addEventOptions, toEventOptions } from './event-options.ts';

const parse = (...args: string[]) =>
  toEventOptions(addEventOptions(new Command().exitOverride()).parse(args, { from: 'user' }).opts());

test('takes types with and without memory., with commas and repeated, once each', () => {
  expect(parse('--type', 'added,memory.missing', 'added', '--type', 'processed')).toMatchObject({
    types: ['memory.added', 'memory.missing', 'memory.processed'],
  });
});

test('has the defaults of the library', () => {
  expect(parse()).toEqual({ types: undefined, payload: undefined, maxBytes: undefined });
});

test('takes the smallest and the largest event', () => {
  expect(parse('--max-bytes', '1024', '--payload', 'reference')).toMatchObject({
    payload: 'reference',
    maxBytes: 1_024,
  });
  expect(parse('--max-bytes', '16777216')).toMatchObject({ maxBytes: 16_777_216 });
});

test.each([
  [
    '--type',
    'returned',
    'Failed to read --type: "returned" is not a type of event. Pass added, processed, changed, missing.',
  ],
  ['--type', 'memory.memory.added', 'Failed to read --type: "memory.memory.added" is not a type of event.'],
  ['--type', 'added,', 'Failed to read --type: "" is not a type of event.'],
  ['--max-bytes', '1023', 'Failed to read --max-bytes: "1023" is not a whole number from 1024 to 16777216.'],
  ['--max-bytes', '16777217', 'Failed to read --max-bytes: "16777217" is not a whole number from 1024 to 16777216.'],
])('refuses %s %j', (option, value, message) => {
  expect(() => parse(option, value)).toThrow(message);
});
