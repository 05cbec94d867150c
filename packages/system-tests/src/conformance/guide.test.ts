import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { guidePath, withRules } from './guide.ts';

test('the guide shows the rules as they are', () => {
  const guide = readFileSync(guidePath, 'utf8');
  const advice = 'Run node --conditions=@memory-read/source packages/system-tests/src/conformance/write-guide.ts.';
  expect(withRules(guide), advice).toBe(guide);
});
