import { expect, test } from 'vitest';
import { type Answer, toResponse } from './answer.ts';

const utf8 = new TextEncoder().encode('Ünïcödé');
const text = '{"name":"Ünïcödé"}';
const answerOf = (body: Answer['body']): Answer => ({ status: 203, headers: { 'x-one': '1' }, body });

test.each<[string, () => Answer['body'], string]>([
  ['a text', () => text, text],
  ['parts', () => ['{"name":"', utf8, '"}'], text],
  ['a stream', () => new Blob([text]).stream(), text],
  ['nothing', () => null, ''],
])('an answer of %s makes a response of the platform', async (_, body, expected) => {
  const response = toResponse(answerOf(body()));
  expect(Object.getPrototypeOf(response)).toBe(Response.prototype);
  expect([response.status, response.headers.get('x-one'), await response.text()]).toEqual([203, '1', expected]);
});

test('a response of parts has bytes of its own, in one chunk', async () => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of toResponse(answerOf(['{"name":"', utf8, '"}'])).body ?? []) chunks.push(chunk);
  expect(chunks.map((chunk) => Buffer.from(chunk).toString())).toEqual([text]);
  chunks[0]?.fill(0);
  expect(new TextDecoder().decode(utf8)).toBe('Ünïcödé');
});
