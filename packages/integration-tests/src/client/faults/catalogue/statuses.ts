import type { Step } from '@memory-read/msw/server';
import { type Expectation, ends, type Fault, fault } from '../fault.ts';
import { head, json, page, response } from '../http-text.ts';
import { apiKey, repeating, signedQuery } from '../samples.ts';

const detail = (text: string) => ({ detail: text });
/** Below 400, the error has no status that a web framework would answer with. */
const unexpected = (status: number, more = {}) =>
  ends('unexpected_response', 1, { error: { status: status < 400 ? 0 : status, ...more } });
const unauthorized = (error: Record<string, unknown>) => ends('authentication', 1, { error });
const failed = (status: number, attempts: number) => ends('server', attempts, { error: { status } });
const unknownPath = { ...unexpected(404), says: 'Check baseUrl' };
const issue = { type: 'missing', loc: ['path', 'memory_id'], msg: 'Field required' };
const secretHeaders = { 'x-request-id': `${apiKey}?${signedQuery}`, 'retry-after': `0?${signedQuery}` };

/** The server rejects the request, with the body of the specification or another one. */
export const refusals: readonly Fault[] = [
  fault(
    'a 401 "Missing API key"',
    json(401, detail('Missing API key')),
    unauthorized({ reason: 'missing_key', detail: 'Missing API key' }),
  ),
  fault(
    'a 401 "Invalid API key"',
    json(401, detail('Invalid API key'), { 'x-request-id': 'req_1' }),
    unauthorized({ reason: 'invalid_key', requestId: 'req_1' }),
  ),
  fault('a 401 as a page', page(401), unauthorized({ reason: 'unknown', detail: undefined })),
  fault('a 401 without a body', response(401), unauthorized({ reason: 'unknown' })),
  fault(
    'a 401 that repeats the key',
    json(401, repeating, secretHeaders),
    ends('authentication', 1, { says: 'Cannot serve' }),
  ),
  ofMemory(
    'a 404 "Memory not found" for a memory',
    json(404, detail('Memory not found'), { 'x-request-id': 'req_1' }),
    ends('not_found', 1, { error: { memoryId: 'mem_1', requestId: 'req_1' } }),
  ),
  ofMemory('a 404 "Not Found" for a memory', json(404, detail('Not Found')), unknownPath),
  ofMemory('a 404 "Tenant not found" of a gateway', json(404, detail('Tenant not found')), unknownPath),
  ofMemory('a 404 as a page', page(404), unknownPath),
  ofMemory('a 404 without a body', response(404), unknownPath),
  fault('a 404 for the list', json(404, detail('Memory not found')), unknownPath),
  ofMemory(
    'a 404 whose body is cut off',
    [head(404, { 'content-length': '90' }), '{"detail":', 'end'],
    ends('connection', 3),
  ),
  ofMemory(
    'a 422 with a text',
    json(422, detail('Malformed id')),
    ends('invalid_request', 1, { error: { detail: 'Malformed id', issues: [] } }),
  ),
  ofMemory(
    'a 422 with a list of issues',
    json(422, { detail: [issue] }),
    ends('invalid_request', 1, {
      error: { detail: 'path.memory_id: Field required', issues: [{ path: ['path', 'memory_id'], type: 'missing' }] },
    }),
  ),
  ofMemory(
    'a 422 with an unreadable body',
    response(422, { headers: { 'content-type': 'application/json' }, body: '<\xff{[' }),
    ends('invalid_request', 1, { error: { detail: undefined, issues: [] } }),
  ),
  fault('a 400 as text', response(400, { body: 'Bad request.' }), unexpected(400, { detail: 'Bad request.' })),
  fault('a 403 as a page', page(403), unexpected(403)),
  fault('a 204', head(204), unexpected(204)),
  fault('a 205', response(205), unexpected(205)),
  fault('a 304', head(304), unexpected(304)),
  fault('a 418', json(418, repeating, secretHeaders), unexpected(418)),
];

/** The server fails. Transient failures are retried. */
export const failures: readonly Fault[] = [
  fault('a 500', json(500, repeating, secretHeaders), failed(500, 3)),
  fault('a 500 as a page', page(500), failed(500, 3)),
  fault('a 500 without a body', response(500), failed(500, 3)),
  fault('a 500 whose body is cut off', [head(500, { 'content-length': '90' }), '{"detail":', 'end'], failed(500, 3)),
  fault(
    'a 500 with a detail of a million characters',
    json(500, detail('x'.repeat(1_000_000))),
    ends('server', 3, { error: { status: 500, detail: `${'x'.repeat(1000)}…` } }),
  ),
  fault('a 501', json(501, {}), failed(501, 1)),
  fault('a 502 as a page', page(502), failed(502, 3)),
  fault('a 503', json(503, detail('Down.'), { 'retry-after': '0' }), failed(503, 3)),
  fault('a 504 as a page', page(504), failed(504, 3)),
  fault('a 520', page(520), failed(520, 3)),
  fault('a 425', json(425, {}), ends('unexpected_response', 3, { error: { status: 425 } })),
  fault('a 408', json(408, repeating, secretHeaders), ends('unexpected_response', 3, { error: { status: 408 } })),
];

/** Redirects, which the client never follows, so that no other host receives the key. */
export const redirects: readonly Fault[] = [
  ...[301, 302, 303, 307, 308].map((status) =>
    redirect(`a ${status} to another server`, status, '{elsewhere}/v1/memories'),
  ),
  redirect('a 302 to the same URL, without end', 302, '{origin}/v1/memories'),
  redirect('a 302 to an invalid URL', 302, 'http://'),
  redirect('a 302 to a javascript: URL', 302, 'javascript:alert(1)'),
  redirect('a 302 to a signed URL', 302, `{elsewhere}/a?${signedQuery}`),
  fault('a 302 without a Location', response(302), unexpected(302)),
];

function ofMemory(name: string, answer: Step | readonly Step[], expected: Expectation): Fault {
  return fault(name, answer, expected, { call: 'getMemory' });
}

function redirect(name: string, status: number, location: string): Fault {
  return fault(name, response(status, { headers: { location } }), {
    ...unexpected(status),
    says: 'does not follow the redirect to',
  });
}
