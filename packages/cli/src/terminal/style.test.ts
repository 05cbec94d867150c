import { expect, test } from 'vitest';
import { hasColors } from './style.ts';

test.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [true, { TERM: 'dumb' }, false],
  [false, { FORCE_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
])('decides about colours: terminal %s, environment %j, colours %s', (isTTY, env, expected) => {
  expect(hasColors({ stream: { isTTY }, env })).toBe(expected);
});
