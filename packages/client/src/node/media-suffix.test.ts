import { expect, test } from 'vitest';
import { suffixOf } from './media-suffix.ts';

test.each<[string | null, string]>([
  ['audio/wav', '.wav'],
  ['Audio/MPEG', '.mp3'],
  ['audio/x-m4a', '.m4a'],
  ['audio/ogg; codecs=opus', '.ogg'],
  ['video/webm;codecs="vp9"', '.webm'],
  ['video/mp4', '.mp4'],
  ['image/png', '.png'],
  ['image/jpeg', '.jpg'],
  ['image/webp', '.webp'],
  ['application/x-msdownload', ''],
  ['../../etc/passwd', ''],
  ['toString', ''],
  ['', ''],
  [null, ''],
])('%s has the suffix "%s"', (contentType, suffix) => {
  expect(suffixOf(contentType)).toBe(suffix);
});
