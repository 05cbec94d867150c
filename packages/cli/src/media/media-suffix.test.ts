import { expect, test } from 'vitest';
import { mediaSuffix } from './media-suffix.ts';

test.each([
  ['audio', 'https://media.example.com/mem_1/audio.wav?signature=x.exe', '.audio.wav'],
  ['video', 'https://media.example.com/TALK.WEBM', '.video.webm'],
  ['preview_image', 'https://media.example.com/p.jpg', '.preview.jpg'],
  ['audio', 'https://media.example.com/a.exe', '.audio'],
  ['audio', 'https://media.example.com/a.wav%2F..%2Fx', '.audio'],
  ['audio', 'https://media.example.com/object', '.audio'],
  ['audio', 'nonsense', '.audio'],
] as const)('%s at %s is saved as %s', (kind, url, suffix) => {
  expect(mediaSuffix(kind, url)).toBe(suffix);
});
