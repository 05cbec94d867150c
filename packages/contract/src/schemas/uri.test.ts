import { expect, test } from 'vitest';
import { uriShape } from './uri.ts';

test.each(['https://media.example.com/a?b=c%20d', 'http://127.0.0.1:8787/a', 's3://bucket/key', 'https://例え.jp/'])(
  '%s is a URI and is kept as it came',
  (text) => {
    expect(uriShape.safeParse(text)).toMatchObject({ success: true, data: text });
  },
);

test.each([
  '/audio.wav',
  'media.example.com/a',
  '',
  ' https://a.example',
  'https://a.example/b c',
  'https://a.example/\n',
])('%j is no absolute URI', (text) => {
  expect(uriShape.safeParse(text).success).toBe(false);
});
