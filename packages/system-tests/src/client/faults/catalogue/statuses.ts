import type { Fault } from '../fault.ts';
import { head, json, openHead, response } from '../http-text.ts';
import { page } from './bodies.ts';

const detail = (text: string) => ({ detail: text });
const unexpected = { ends: 'unexpected_response', attempts: 1 } as const;
const unknownPath = { ...unexpected, error: { status: 404 }, says: 'base URL' } as const;
const validationIssues = [{ type: 'missing', loc: ['path', 'memory_id'], msg: 'Field required' }];

/** The server refuses, in the words of the specification or in others. */
export const refusals: readonly Fault[] = [
  {
    name: 'a 401 "Missing API key"',
    answers: [[json(401, detail('Missing API key'))]],
    expected: { ends: 'authentication', attempts: 1, error: { reason: 'missing_key', detail: 'Missing API key' } },
  },
  {
    name: 'a 401 "Invalid API key"',
    answers: [[json(401, detail('Invalid API key'), { 'x-request-id': 'req_1' })]],
    expected: { ends: 'authentication', attempts: 1, error: { reason: 'invalid_key', requestId: 'req_1' } },
  },
  {
    name: 'a 401 as a page',
    answers: [[page(401)]],
    expected: { ends: 'authentication', attempts: 1, error: { reason: 'unknown', detail: undefined } },
  },
  {
    name: 'a 401 without a body',
    answers: [[response(401)]],
    expected: { ends: 'authentication', attempts: 1, error: { reason: 'unknown' } },
  },
  {
    name: 'a 401 that repeats the key',
    answers: [[openHead(401), '{"detail":"No such key: {key}"}', 'end']],
    expected: { ends: 'authentication', attempts: 1, says: 'No such key' },
  },
  {
    name: 'a 404 "Memory not found" for a memory',
    call: 'getMemory',
    answers: [[json(404, detail('Memory not found'))]],
    expected: { ends: 'not_found', attempts: 1, error: { memoryId: 'mem_1' } },
  },
  {
    name: 'a 404 "Not Found" for a memory',
    call: 'getMemory',
    answers: [[json(404, detail('Not Found'))]],
    expected: unknownPath,
  },
  { name: 'a 404 as a page', call: 'getMemory', answers: [[page(404)]], expected: unknownPath },
  { name: 'a 404 without a body', call: 'getMemory', answers: [[response(404)]], expected: unknownPath },
  { name: 'a 404 for the list', answers: [[json(404, detail('Memory not found'))]], expected: unknownPath },
  {
    name: 'a 404 whose body is cut',
    call: 'getMemory',
    answers: [[head(404, { 'content-length': '90' }), '{"detail":', 'end']],
    expected: { ends: 'connection', attempts: 3 },
  },
  {
    name: 'a 422 with a text',
    call: 'getMemory',
    answers: [[json(422, detail('Malformed id'))]],
    expected: { ends: 'invalid_request', attempts: 1, error: { detail: 'Malformed id', issues: [] } },
  },
  {
    name: 'a 422 with a list of issues',
    call: 'getMemory',
    answers: [[json(422, { detail: validationIssues })]],
    expected: {
      ends: 'invalid_request',
      attempts: 1,
      error: { detail: 'path.memory_id: Field required', issues: [{ path: ['path', 'memory_id'], type: 'missing' }] },
    },
  },
  {
    name: 'a 422 with garbage',
    call: 'getMemory',
    answers: [[response(422, { headers: { 'content-type': 'application/json' }, body: '<\xff{[' })]],
    expected: { ends: 'invalid_request', attempts: 1, error: { detail: undefined, issues: [] } },
  },
  {
    name: 'a 400 as text',
    answers: [[response(400, { body: 'Bad request.' })]],
    expected: { ...unexpected, error: { status: 400, detail: 'Bad request.' } },
  },
  { name: 'a 403 as a page', answers: [[page(403)]], expected: { ...unexpected, error: { status: 403 } } },
  { name: 'a 204', answers: [[head(204)]], expected: { ...unexpected, error: { status: 204 } } },
  {
    name: 'a 205',
    answers: [[head(205, { 'content-length': '0' })]],
    expected: { ...unexpected, error: { status: 205 } },
  },
  { name: 'a 304', answers: [[head(304)]], expected: { ...unexpected, error: { status: 304 } } },
  { name: 'a 418', answers: [[json(418, {})]], expected: { ...unexpected, error: { status: 418 } } },
];

/** The server fails. Those that a moment may mend are tried again. */
export const failures: readonly Fault[] = [
  { name: 'a 500', answers: [[json(500, detail('Internal server error'))]], expected: failed(500, 3) },
  { name: 'a 500 as a page', answers: [[page(500)]], expected: failed(500, 3) },
  { name: 'a 500 without a body', answers: [[response(500)]], expected: failed(500, 3) },
  {
    name: 'a 500 whose body is cut',
    answers: [[head(500, { 'content-length': '90' }), '{"detail":', 'end']],
    expected: failed(500, 3),
  },
  {
    name: 'a 500 with a detail of a million characters',
    answers: [[json(500, detail('x'.repeat(1_000_000)))]],
    expected: { ends: 'server', attempts: 3, error: { status: 500, detail: `${'x'.repeat(1000)}…` } },
  },
  { name: 'a 501', answers: [[json(501, {})]], expected: failed(501, 1) },
  { name: 'a 502 as a page', answers: [[page(502)]], expected: failed(502, 3) },
  { name: 'a 503', answers: [[json(503, detail('Down.'), { 'retry-after': '0' })]], expected: failed(503, 3) },
  { name: 'a 504 as a page', answers: [[page(504)]], expected: failed(504, 3) },
  { name: 'a 520', answers: [[page(520)]], expected: failed(520, 1) },
  {
    name: 'a 408',
    answers: [[json(408, {})]],
    expected: { ends: 'unexpected_response', attempts: 3, error: { status: 408 } },
  },
];

function failed(status: number, attempts: number) {
  return { ends: 'server', attempts, error: { status } } as const;
}
