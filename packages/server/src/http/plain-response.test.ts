import { expect, test } from 'vitest';
import { type PlainResponse, toResponse } from './plain-response.ts';

const utf8 = new TextEncoder().encode('Ünïcödé');
const text = '{"name":"Ünïcödé"}';
const plain = (body: PlainResponse['body']): PlainResponse => ({ status: 203, headers: { 'x-one': '1' }, body });

test('a response of several parts has its own bytes, in one chunk', async () => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await toResponse(plain(['{"name":"', utf8, '"}']))).body ?? []) chunks.push(chunk);
  expect(chunks.map((chunk) => Buffer.from(chunk).toString())).toEqual([text]);
  chunks[0]?.fill(0);
  expect(new TextDecoder().decode(utf8)).toBe('Ünïcödé');
});
