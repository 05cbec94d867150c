import { memoryFields } from '@memory-read/contract/fields';
import {
  type Expectation,
  type OracleRequest,
  problem,
  segmentsOf,
  valuesOf,
} from '@memory-read/test-kit/oracle/expectation';
import { expectedApiAnswer } from '@memory-read/test-kit/oracle/expected-api-answer';
import { expectedMediaAnswer } from '@memory-read/test-kit/oracle/expected-media-answer';
import type { Answer } from '../normal-answer.ts';
import type { ParityCase } from '../parity-case.ts';
import { oracleWorld, toOracleRequest } from './oracle-world.ts';

/** What is wrong with an answer by the specification, one sentence each. */
export function mistakes(parityCase: ParityCase, answer: Answer): string[] {
  const { request, signed } = toOracleRequest(parityCase);
  const [plain = ''] = request.path.split(/[?#]/, 1);
  const isMedia = segmentsOf(request.path)[0] === 'media' && segmentsOf(request.path).length > 1;
  if (plain.includes('\\')) return differences(problem(400, 'Bad Request'), answer, request);
  const expected = isMedia ? expectedMediaAnswer(request, signed) : expectedApiAnswer(request, oracleWorld);
  const always = isMedia ? protective : { 'cache-control': 'private, no-store' };
  return differences({ ...expected, headers: { ...always, ...expected.headers } }, answer, request);
}

/** docs/decisions/media-types.md. */
const protective = { 'content-security-policy': "sandbox; default-src 'none'" };

// docs/decisions/response-headers-and-caching.md
const sane = /^[A-Za-z0-9_.~:+/=-]{1,128}$/;

function differences(expected: Expectation, { status, headers, body }: Answer, request: OracleRequest): string[] {
  const sentId = valuesOf(request, 'x-request-id')[0] ?? '';
  const requestId = sane.test(sentId) && !/mrk_/i.test(sentId) ? sentId : '<request id>';
  const all = { ...expected.headers, 'x-content-type-options': 'nosniff', 'x-request-id': requestId };
  const wrong = Object.entries(all).filter(([name, value]) => headers[name] !== value);
  return [
    ...(status === expected.status ? [] : [`status ${status} instead of ${expected.status}`]),
    ...((headers['content-type'] ?? null) === expected.contentType
      ? []
      : [`content type ${headers['content-type']} instead of ${expected.contentType}`]),
    ...wrong.map(([name, value]) => `${name} is ${headers[name]} instead of ${value}`),
    ...(request.method === 'HEAD' ? withoutBody(body) : bodyMistakes(expected, body)),
  ];
}

function withoutBody(body: unknown): string[] {
  return body === '' ? [] : ['a body on HEAD'];
}

function bodyMistakes({ detail, ids, contentType, headers }: Expectation, body: unknown): string[] {
  if (detail !== undefined) return isEqual(body, { detail }) ? [] : [`the body is not the detail "${detail}"`];
  if (contentType === null) return withoutBody(body);
  if (ids === undefined) {
    const { bytes } = body as { bytes?: number };
    return String(bytes) === headers?.['content-length']
      ? []
      : [`${bytes} bytes instead of ${headers?.['content-length']}`];
  }
  const found = Array.isArray(ids) ? idsOfList(body) : (body as { id?: string }).id;
  // The beginning of a long memory has its id as well.
  const begins = (body as { begins?: string }).begins?.startsWith(`{"id":${JSON.stringify(ids)},`) === true;
  return isEqual(found, ids) || begins
    ? structureMistakes(body)
    : [`ids ${JSON.stringify(found)} instead of ${JSON.stringify(ids)}`];
}

function idsOfList(body: unknown): unknown {
  return Array.isArray(body) ? body.map(({ id }) => id) : (body as { ids?: unknown }).ids;
}

// Section 2.1: all are always there; section 4.1.3: in a list, transcript is null.
const fields = Object.keys(memoryFields).sort();

function structureMistakes(body: unknown): string[] {
  if (typeof body === 'string') return ['the body is not written as JSON writes it'];
  if (Array.isArray(body)) {
    const transcripts = body.filter(({ transcript }) => transcript !== null);
    return [...body.flatMap(structureMistakes), ...(transcripts.length > 0 ? ['a transcript in a list'] : [])];
  }
  if ('begins' in (body as object)) return [];
  const found = Object.keys(body as object).sort();
  return isEqual(found, fields) ? [] : [`the fields ${found.join(', ')}`];
}

function isEqual(first: unknown, second: unknown): boolean {
  return JSON.stringify(first) === JSON.stringify(second);
}
