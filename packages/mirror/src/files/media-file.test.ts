import { describe, expect, it } from 'vitest';
import { isMediaPath, shortHash } from '../history/stored-memories.ts';
import { isInside } from './is-inside.ts';

describe('isInside', () => {
  it.each(['a', 'pages/2026-11-19 Talk.md', '.hidden', '...', 'a/..b/c', 'media/0123/audio.mp3'])(
    'accepts %j',
    (path) => {
      expect(isInside(path)).toBe(true);
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
  ])('rejects %j', (path) => {
    expect(isInside(path)).toBe(false);
    expect(isMediaPath(`media/${shortHash('mem_1')}/audio-1/${path}`, 'mem_1', 'audio')).toBe(false);
  });
});
