import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assertInside } from './assert-inside.ts';

describe('assertInside', () => {
  it.each(['a', 'pages/2026-11-19 Talk.md', '.hidden', '...', 'a/..b/c', 'media/0123/audio.mp3'])(
    'accepts %j',
    (path) => {
      expect(assertInside('/mirror', path)).toBe(join('/mirror', path));
    },
  );

  it.each([
    '',
    '/',
    '/etc/passwd',
    '..',
    '../secret',
    'a/../../secret',
    'a/..',
    '.',
    './secret',
    'a/./b',
    'a//b',
    'secret/',
    '\\secret',
    '..\\secret',
    'a\\..\\secret',
    'C:\\secret',
    '\0',
    'secret\0.md',
  ])('rejects %j, and does not quote it', (path) => {
    const reading = expect(() => assertInside('/mirror', path));
    reading.toThrow(expect.objectContaining({ code: 'damaged' }));
    reading.not.toThrow(/secret/);
  });
});
