import { expect, test } from 'vitest';
import { mediaSuffix } from '../commands/download.ts';

test.each([
  ['https://media.example.com/mem_1/audio.wav?signature=x.exe', '.wav'],
  ['https://media.example.com/TALK.WEBM', '.webm'],
  ['https://media.example.com/p.jpg', '.jpg'],
  ['https://media.example.com/a.exe', ''],
  ['https://media.example.com/a.wav%2F..%2Fx', ''],
  ['https://media.example.com/object', ''],
  ['nonsense', ''],
])('the suffix of %s is %j', (url, suffix) => {
  expect(mediaSuffix(url)).toBe(suffix);
});
