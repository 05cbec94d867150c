import { expect, test } from 'vitest';
import { refuseNumber, refuseOptions } from './options.ts';

test.each([undefined, null, 5, 'PRIVATE', [], () => {}])('%s is not an object of options', (options) => {
  expect(refuseOptions(options, ['name'])).toEqual({
    name: undefined,
    reason: 'the options argument is not an object',
    advice: 'Pass an object',
  });
});

test.each<[given: object, names: string[], name: string, advice: string]>([
  [{ limit: 'PRIVATE' }, [], 'limit', 'Remove it'],
  [{ userID: 1 }, ['userId'], 'userID', 'Use userId'],
  [{ port: 1, tokens: 1 }, ['port', 'hostname', 'token'], 'tokens', 'Use one of: token, port, hostname'],
  [{ constructor: 1 }, ['port', 'token'], 'constructor', 'Use one of: port, token'],
  [JSON.parse('{"__proto__":1}'), ['port'], '__proto__', 'Use port'],
])(
  'of %j, the first name that is not one of %j is refused, and the nearest one is the first',
  (given, names, name, advice) => {
    const reason = `the option "${name}" is not supported`;
    expect(refuseOptions(given, names)).toEqual({ name, reason, advice });
  },
);

test('a known name, and one without a value, are accepted', () => {
  expect(refuseOptions({ port: null, tokens: undefined }, ['port'])).toBeUndefined();
  expect(refuseOptions(Object.create({ tokens: 1 }), ['port'])).toBeUndefined();
});

test.each<[value: unknown, shown: string]>([
  [0, '0'],
  [6, '6'],
  [1.5, '1.5'],
  [Number.NaN, 'NaN'],
  [null, 'null'],
  [undefined, 'undefined'],
  ['PRIVATE', 'of type string'],
  [{ toString: () => 'PRIVATE' }, 'of type object'],
  [() => 'PRIVATE', 'of type function'],
])('%j is not a whole number from 1 to 5, and no text is repeated', (value, shown) => {
  const reason = `limit is ${shown}, which is not a whole number from 1 to 5`;
  expect(refuseNumber('limit', value, [1, 5])).toMatchObject({ name: 'limit', reason });
});

test.each([1, 5])('%j is a whole number from 1 to 5', (value) => {
  expect(refuseNumber('limit', value, [1, 5])).toBeUndefined();
});
