import { memoryFields } from '@memory-read/contract/fields';
import type { Answer } from '../normal-answer.ts';
import type { ParityCase } from '../parity-case.ts';
import { type Expectation, hasDotSegment, type OracleRequest, problem, segmentsOf, valuesOf } from './expectation.ts';
import { expectedApiAnswer } from './expected-api-answer.ts';
import { expectedMediaAnswer } from './expected-media-answer.ts';
import { oracleWorld, toOracleRequest } from './oracle-world.ts';

/** Returns the part of a response that the specification fixes: the actual and the expected values. */
export function judge(parityCase: ParityCase, { status, headers, body }: Answer): { seen: object; right: object } {
  const { title } = parityCase;
  const { request, signed } = toOracleRequest(parityCase);
  const expected = expectationOf(request, signed);
  const rightHeaders: Record<string, string | undefined> = {
    ...expected.headers,
    'content-type': expected.contentType ?? undefined,
    'x-content-type-options': 'nosniff',
    'x-request-id': requestIdOf(request),
  };
  const seenHeaders = Object.fromEntries(Object.keys(rightHeaders).map((name) => [name, headers[name]]));
  const [seenBody, rightBody] = request.method === 'HEAD' ? [body, ''] : judgeBody(expected, body);
  return {
    seen: { title, status, headers: seenHeaders, body: seenBody },
    right: { title, status: expected.status, headers: rightHeaders, body: rightBody },
  };
}

function expectationOf(request: OracleRequest, signed: ReturnType<typeof toOracleRequest>['signed']): Expectation {
  if (hasDotSegment(request.path)) return problem(404, 'Not Found', { 'cache-control': 'private, no-store' });
  const [plain = ''] = request.path.split(/[?#]/, 1);
  if (plain.includes('\\')) return problem(400, 'Bad Request');
  const [first, ...rest] = segmentsOf(request.path);
  const isMedia = first === 'media' && rest.length > 0;
  const expected = isMedia ? expectedMediaAnswer(request, signed) : expectedApiAnswer(request, oracleWorld);
  // Required by docs/decisions/media-types.md.
  const protective = { 'content-security-policy': "sandbox; default-src 'none'" };
  const always = isMedia ? protective : { 'cache-control': 'private, no-store' };
  return { ...expected, headers: { ...always, ...expected.headers } };
}

/** Required by docs/decisions/response-headers-and-caching.md. */
function requestIdOf(request: OracleRequest): string {
  const [sent = ''] = valuesOf(request, 'x-request-id');
  return /^[A-Za-z0-9_.~:+/=-]{1,128}$/.test(sent) && !/mrk_/i.test(sent) ? sent : '<request id>';
}

function judgeBody({ detail, ids, contentType, headers }: Expectation, body: unknown): [seen: unknown, right: unknown] {
  if (detail !== undefined) return [body, { detail }];
  if (contentType === null) return [body, ''];
  if (ids === undefined) return [String((body as { bytes?: number }).bytes), headers?.['content-length']];
  // The golden files contain only the beginning of a long body, and the ids of a long list.
  const shown = body as { begins?: string; ids?: string[] };
  if (Array.isArray(ids)) {
    if (shown.ids) return [shown.ids, ids];
    const listed = Array.isArray(body)
      ? body.map((each) => ({ ...outlineOf(each), transcript: each.transcript }))
      : body;
    return [listed, ids.map((id) => ({ id, fields, transcript: null }))];
  }
  if (shown.begins !== undefined) return [shown.begins.startsWith(`{"id":${JSON.stringify(ids)},`), true];
  return [outlineOf(body), { id: ids, fields }];
}

// Every memory has all fields (section 2.1). In a list, transcript is null (section 4.1.3).
const fields = Object.keys(memoryFields).sort();

function outlineOf(memory: unknown) {
  return { id: (memory as { id?: string }).id, fields: Object.keys(memory as object).sort() };
}
