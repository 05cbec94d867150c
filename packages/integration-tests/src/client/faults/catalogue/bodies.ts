import { emptyAnswer, ends, type Fault, fault } from '../fault.ts';
import { emptyList, head, json, openHead, page, response } from '../http-text.ts';
import { sampleMemory, signedQuery } from '../samples.ts';

const cut = ends('connection', 3, { says: 'failed before the body' });
const notJson = ends('invalid_response', 3, { error: { reason: 'not_json' }, says: 'not JSON' });
const cutJson = ends('invalid_response', 3, { error: { reason: 'cut_json' }, says: 'cut off after' });
const structure = ends('invalid_response', 1, { error: { reason: 'structure' } });
const partial = ends('invalid_response', 1, { error: { reason: 'partial' } });
const tooLarge = ends('invalid_response', 1, { error: { reason: 'too_large' }, within: 60_000 });
const chunked = head(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' });
const list = JSON.stringify([sampleMemory()]);
const half = list.slice(0, list.indexOf('URLSECRET') + 20);
const again = { calls: 2 };

/** The headers arrive, but the body is incomplete. */
export const cutBodies: readonly Fault[] = [
  fault('the connection ends before the body', [head(200, { 'content-length': '100' }), 'end'], cut),
  fault('the body ends before its Content-Length', [head(200, { 'content-length': '1000' }), half, 'end'], cut),
  fault(
    'the connection is reset within the body',
    [head(200, { 'content-length': '1000' }), half, { wait: 20 }, 'reset'],
    cut,
  ),
  fault('a chunked body ends within a chunk', [`${chunked}400\r\n${half}`, 'end'], cut),
  fault('a chunked body ends without its last chunk', [`${chunked}2\r\n[]\r\n`, 'end'], cut),
  fault(
    'a chunked body ends without its last chunk, with Connection: close',
    [`${openHead(200, { 'transfer-encoding': 'chunked' })}${half.length.toString(16)}\r\n${half}\r\n`, 'end'],
    cut,
  ),
  fault('the size of a chunk is not a number', [`${chunked}2\r\n[]\r\nzz\r\n\r\n`, 'end'], cut),
  fault('a body without a length is cut off', [openHead(200), half, 'end'], cutJson),
  fault(
    'the gzip body is corrupt',
    response(200, { headers: { 'content-encoding': 'gzip' }, body: `\x1f\x8b\x08\0\0\0\0\0\0\x03${list}` }),
    cut,
  ),
  {
    name: 'the body is longer than its Content-Length',
    answers: [[head(200, { 'content-length': '2' }), '[][]'], [emptyList]],
    ...again,
    expected: emptyAnswer(2),
  },
  fault('the Content-Length cuts off the JSON', [head(200, { 'content-length': '40' }), list, 'end'], cutJson),
  {
    name: 'two responses arrive for one request',
    answers: [[emptyList + json(200, [sampleMemory({ id: 'mem_of_another_request' })])], [emptyList]],
    ...again,
    expected: emptyAnswer(2),
  },
];

/** A 200 with a complete body that is not the expected one. */
export const wrongBodies: readonly Fault[] = [
  fault('a 200 is a sign-in page', page(200), { ...notJson, says: 'text/html' }),
  fault('a 200 has no body', response(200), notJson),
  fault('a 200 is an error in plain text', response(200, { body: 'upstream error' }), notJson),
  fault('a 200 is null', json(200, null), structure),
  fault('a list is an object', json(200, { items: [] }), structure),
  fault('a memory of a list has no name', json(200, [{ ...sampleMemory(), name: null }, sampleMemory()]), structure),
  fault(
    "a memory of a list has no name, with validation: 'skip'",
    json(200, [{ ...sampleMemory(), name: null }, sampleMemory()]),
    ends('answer', 1, { value: [sampleMemory()] }),
    { options: { validation: 'skip' } },
  ),
  fault(
    "each memory of a list has no name, with validation: 'skip'",
    json(200, [{ ...sampleMemory(), name: null }]),
    structure,
    {
      options: { validation: 'skip' },
    },
  ),
  fault('a memory is a list', json(200, []), structure, { call: 'getMemory' }),
  fault('a field has another type', json(200, [sampleMemory({ audio_url: [sampleMemory().audio_url] })]), structure),
  fault('a list is nested 100,000 levels deep', response(200, { body: nested(100_000) }), structure),
  fault(
    'an unknown field is nested 10,000 levels deep',
    response(200, { body: list.replace('{', `{"deep":${nested(10_000)},`) }),
    ends('answer', 1),
  ),
  fault('JSON is labelled as text', labelled('text/plain', '[]'), emptyAnswer()),
  fault('JSON has no Content-Type', response(200, { body: '[]' }), emptyAnswer()),
  fault('JSON begins with a byte order mark', response(200, { body: '\xef\xbb\xbf[]' }), emptyAnswer()),
  fault('JSON is UTF-16', response(200, { body: '\xff\xfe[\0]\0' }), notJson),
  fault(
    'a name is in Latin-1, with that label',
    labelled('application/json; charset=iso-8859-1', JSON.stringify([sampleMemory({ name: 'Caf\xe9' })])),
    ends('answer', 1, { value: [{ name: 'Caf\uFFFD' }] }),
  ),
  fault(
    'a name contains bytes that are not UTF-8',
    labelled('application/json', JSON.stringify([sampleMemory({ name: '\xc3\x28' })])),
    ends('answer', 1, { value: [{ name: '\uFFFD(' }] }),
  ),
  fault('a 206 has a part of the list', json(206, [], { 'content-range': 'bytes 0-1/90' }), partial),
  fault(
    'a Link names a next page',
    json(200, [], { link: `</v1/memories?page=2&${signedQuery}>; rel="next"` }),
    partial,
  ),
  fault('the body exceeds 256 MiB and never ends', [openHead(200), { flood: ' '.repeat(1024 * 1024) }], tooLarge, {
    isHeavy: true,
  }),
  fault(
    'a body of 300 KiB unpacks to 300 MiB',
    [openHead(200, { 'content-encoding': 'gzip' }), { gzip: ' '.repeat(1024 * 1024), times: 300 }, 'end'],
    tooLarge,
    { isHeavy: true },
  ),
];

function labelled(type: string, body: string): string {
  return response(200, { headers: { 'content-type': type }, body });
}

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}
