// Written from docs/specification.md, docs/decisions and RFC 9110 only, so that it repeats no mistake of the server.
import { type Expectation, type OracleRequest, problem, segmentsOf, valuesOf } from './expectation.ts';

/** The object of a signed media URL. */
export interface SignedObject {
  /** Path and query of the signed URL, below the base URL. */
  target: string;
  contentType: string;
  size: number;
  etag: string;
  /** Time from the request until the URL expires, in seconds. */
  remaining: number;
}

/**
 * Returns the expected response, by section 2.1.1 and docs/decisions/signed-media-urls.md: a changed URL does not work.
 */
export function expectedMediaAnswer(request: OracleRequest, signed: SignedObject | undefined): Expectation {
  const [, ...object] = segmentsOf(request.path);
  if (object.join('/') === '') return problem(404, 'Not Found');
  if (request.method === 'OPTIONS') return { status: 204, contentType: null };
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return problem(405, 'Method Not Allowed', { allow: 'GET, HEAD, OPTIONS' });
  }
  const isTheSame = signed !== undefined && asParsed(request.path) === asParsed(signed.target);
  if (!isTheSame || signed.remaining >= 3_661) return problem(403, 'Media URL is not valid');
  if (signed.remaining <= 0) return problem(403, 'Media URL has expired');
  return conditional(request, signed);
}

function asParsed(target: string): string {
  const [withoutFragment = ''] = target.split('#', 1);
  const [, query = ''] = withoutFragment.split(/(\?.*)/s);
  return segmentsOf(withoutFragment).join('/') + query;
}

/** Applies RFC 9110, section 13.2.2: If-Match, then If-None-Match, then Range with If-Range. */
function conditional(request: OracleRequest, object: SignedObject): Expectation {
  const header = (name: string) => valuesOf(request, name)[0];
  const [ifMatch, ifNoneMatch, ifRange] = [header('if-match'), header('if-none-match'), header('if-range')];
  const strong = (list: string) => list === '*' || list.split(', ').includes(object.etag);
  if (ifMatch !== undefined && !strong(ifMatch)) return problem(412, 'Precondition Failed');
  if (ifNoneMatch !== undefined && strong(ifNoneMatch.replaceAll('W/', ''))) return { status: 304, contentType: null };
  const isRangeWanted = request.method === 'GET' && (ifRange === undefined || ifRange === object.etag);
  const range = isRangeWanted ? rangeOf(header('range') ?? '', object.size) : undefined;
  if (range === 'none') return problem(416, 'Range Not Satisfiable', { 'content-range': `bytes */${object.size}` });
  const headers = { 'accept-ranges': 'bytes' };
  if (range === undefined)
    return {
      status: 200,
      contentType: object.contentType,
      headers: { ...headers, 'content-length': String(object.size) },
    };
  const [first, last] = range;
  const parts = {
    'content-range': `bytes ${first}-${last}/${object.size}`,
    'content-length': String(last - first + 1),
  };
  return { status: 206, contentType: object.contentType, headers: { ...headers, ...parts } };
}

/** Returns first and last byte (RFC 9110, section 14): `'none'` if out of range, `undefined` for the whole object. */
function rangeOf(header: string, size: number): [first: number, last: number] | 'none' | undefined {
  const [unit = '', set = ''] = header.split('=');
  const [first = '', last = '', ...more] = set.split('-');
  const isRange = unit.toLowerCase() === 'bytes' && /^\d*$/.test(first) && /^\d*$/.test(last) && more.length === 0;
  if (!isRange || set === '' || set === '-' || !set.includes('-')) return undefined;
  if (first === '') return Number(last) === 0 ? 'none' : [Math.max(0, size - Number(last)), size - 1];
  if (last !== '' && Number(last) < Number(first)) return undefined;
  return Number(first) >= size ? 'none' : [Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1)];
}
