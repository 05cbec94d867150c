import { expect, test } from 'vitest';
import { refuseOptions } from './option-names.ts';

test.each([undefined, null, 5, 'PRIVATE', [], () => {}])('%s is no object of options', (options) => {
  expect(refuseOptions(options, ['name'])).toEqual({
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
