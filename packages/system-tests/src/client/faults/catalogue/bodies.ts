import type { Expectation, Fault } from '../fault.ts';
import { emptyList, head, json, openHead, response } from '../http-text.ts';
import { sampleMemory } from '../sample-memory.ts';

const cut = { ends: 'connection', attempts: 3, says: 'within the body' } as const;
const emptyAnswer = { ends: 'answer', attempts: 1, value: [] } as const;
const chunked = head(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' });
const list = JSON.stringify([sampleMemory()]);

/** The head is there, and then the body does not come whole. */
export const cutBodies: readonly Fault[] = [
  {
    name: 'the connection ends before the body',
    answers: [[head(200, { 'content-length': '100' }), 'end']],
    expected: cut,
  },
  {
    name: 'the body ends before its Content-Length',
    answers: [[head(200, { 'content-length': String(list.length) }), list.slice(0, 40), 'end']],
    expected: cut,
  },
  {
    name: 'the connection is reset within the body',
    answers: [[head(200, { 'content-length': '100' }), '[', { wait: 20 }, 'reset']],
    expected: cut,
  },
  {
    name: 'a chunked body ends within a chunk',
    answers: [[`${chunked}40\r\n[`, 'end']],
    expected: cut,
  },
  { name: 'a chunked body ends without its last chunk', answers: [[`${chunked}2\r\n[]\r\n`, 'end']], expected: cut },
  {
    name: 'the size of a chunk is no number',
    answers: [[`${chunked}2\r\n[]\r\nzz\r\n\r\n`, 'end']],
    expected: cut,
  },
  {
    name: 'a body that ends with the connection is cut where nothing tells it',
    answers: [[openHead(200), list.slice(0, 40), 'end']],
    expected: notJson(),
  },
  {
    name: 'the body is longer than its Content-Length',
    answers: [[head(200, { 'content-length': '2' }), '[][]'], [emptyList]],
    calls: 2,
    expected: { ends: 'answer', attempts: 2, value: [] },
  },
  {
    name: 'the Content-Length cuts the JSON',
    answers: [[head(200, { 'content-length': '40' }), list, 'end']],
    expected: notJson(),
  },
  {
    name: 'two responses come at once, the second for nobody',
    answers: [[emptyList + json(200, [sampleMemory({ id: 'mem_of_another_request' })])], [emptyList]],
    calls: 2,
    expected: { ends: 'answer', attempts: 2, value: [] },
  },
];

/** A 200 whose body is whole, and not what was asked for. */
export const wrongBodies: readonly Fault[] = [
  { name: 'a 200 is a sign-in page', answers: [[page(200)]], expected: notJson('text/html') },
  { name: 'a 200 has no body', answers: [[response(200)]], expected: notJson() },
  { name: 'a 200 is an error as text', answers: [[response(200, { body: 'upstream error' })]], expected: notJson() },
  { name: 'a 200 is null', answers: [[json(200, null)]], expected: structure() },
  { name: 'a 200 is a number', answers: [[json(200, 7)]], expected: structure() },
  { name: 'a 200 is a string', answers: [[json(200, 'mem_1')]], expected: structure() },
  { name: 'a list is an object', answers: [[json(200, { items: [] })]], expected: structure() },
  { name: 'a memory is a list', call: 'getMemory', answers: [[json(200, [])]], expected: structure() },
  {
    name: 'a 200 is an error object',
    call: 'getMemory',
    answers: [[json(200, { detail: 'No.' })]],
    expected: structure(),
  },
  { name: 'a field has another type', answers: [[json(200, [sampleMemory({ id: 7 })])]], expected: structure() },
  {
    name: 'a list is nested 100,000 deep',
    answers: [[response(200, { body: nested(100_000) })]],
    expected: structure(),
  },
  {
    name: 'an unknown field is nested 10,000 deep',
    answers: [[response(200, { body: list.replace('{', `{"deep":${nested(10_000)},`) })]],
    expected: { ends: 'answer', attempts: 1 },
  },
  {
    name: 'JSON is labelled as text',
    answers: [[response(200, { headers: { 'content-type': 'text/plain' }, body: '[]' })]],
    expected: emptyAnswer,
  },
  { name: 'JSON is not labelled at all', answers: [[response(200, { body: '[]' })]], expected: emptyAnswer },
  {
    name: 'JSON begins with a byte order mark',
    answers: [[response(200, { body: '\xef\xbb\xbf[]' })]],
    expected: emptyAnswer,
  },
  {
    name: 'JSON is UTF-16',
    answers: [[response(200, { body: '\xff\xfe[\0]\0' })]],
    expected: notJson(),
  },
  {
    name: 'a name is in Latin-1, and labelled so',
    answers: [
      [response(200, { headers: { 'content-type': 'application/json; charset=iso-8859-1' }, body: named('Caf\xe9') })],
    ],
    expected: { ends: 'answer', attempts: 1, value: [{ name: 'Caf\uFFFD' }] },
  },
  {
    name: 'a name holds bytes that are no UTF-8',
    answers: [[response(200, { headers: { 'content-type': 'application/json' }, body: named('\xc3\x28') })]],
    expected: { ends: 'answer', attempts: 1, value: [{ name: '\uFFFD(' }] },
  },
  {
    name: 'a 206 brings a part',
    answers: [[json(206, [], { 'content-range': 'bytes 0-1/90' })]],
    expected: { ends: 'invalid_response', attempts: 1, error: { reason: 'partial' } },
  },
  {
    name: 'a Link names a next page',
    answers: [[json(200, [], { link: '</v1/memories?page=2>; rel="next"' })]],
    expected: { ends: 'invalid_response', attempts: 1, error: { reason: 'partial' } },
  },
  {
    name: 'the body never ends, beyond 256 MiB',
    answers: [[openHead(200), { flood: ' '.repeat(1024 * 1024) }]],
    expected: tooLarge(),
    isHeavy: true,
  },
  {
    name: 'a body of 300 KiB unpacks to 300 MiB',
    answers: [[openHead(200, { 'content-encoding': 'gzip' }), { gzip: ' '.repeat(1024 * 1024), times: 300 }, 'end']],
    expected: tooLarge(),
    isHeavy: true,
  },
];

/** An HTML page, as proxies and portals send it. */
export function page(status: number): string {
  return response(status, { headers: { 'content-type': 'text/html' }, body: '<!doctype html><h1>Sign in</h1>' });
}

function named(name: string): string {
  return JSON.stringify([sampleMemory({ name })]);
}

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

function notJson(says = 'no JSON'): Expectation {
  return { ends: 'invalid_response', attempts: 3, error: { reason: 'not_json' }, says };
}

function structure(): Expectation {
  return { ends: 'invalid_response', attempts: 1, error: { reason: 'structure' } };
}

function tooLarge(): Expectation {
  return { ends: 'invalid_response', attempts: 1, error: { reason: 'too_large' }, within: 60_000 };
}
