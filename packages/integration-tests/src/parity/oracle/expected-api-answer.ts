// Written from docs/specification.md and docs/decisions only, so that it repeats no mistake of the server.
import {
  type Expectation,
  type OracleRequest,
  type OracleWorld,
  problem,
  segmentsOf,
  valuesOf,
} from './expectation.ts';

/** Returns the expected response, by the order of docs/decisions/order-of-checks.md: path, method, key, id, memory. */
export function expectedApiAnswer(request: OracleRequest, world: OracleWorld): Expectation {
  const [version, resource, memoryId, ...rest] = segmentsOf(request.path);
  const isOperation = version === 'v1' && resource === 'memories' && memoryId !== '' && rest.length === 0;
  // Section 4 and the further errors: every other path is not found, whatever the method.
  if (!isOperation) return problem(404, 'Not Found');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return problem(405, 'Method Not Allowed', { allow: 'GET, HEAD' });
  }
  const caller = callerOf(request, world);
  if ('detail' in caller) return problem(401, caller.detail, { 'www-authenticate': 'Bearer' });
  const own = world.memories.get(caller.account) ?? [];
  if (memoryId === undefined) return found(newestFirst(own).map(({ id }) => id));
  const id = decoded(memoryId);
  if (id === undefined) return problem(422, 'Malformed memory id');
  return own.some((memory) => memory.id === id) ? found(id) : problem(404, 'Memory not found');
}

function found(ids: string | string[]): Expectation {
  return { status: 200, contentType: 'application/json', ids };
}

/** Returns the account of a request, by sections 5.2 to 5.6 and docs/decisions/api-keys.md. */
function callerOf(request: OracleRequest, world: OracleWorld): { account: string } | { detail: string } {
  const [authorizations, keys] = [valuesOf(request, 'authorization'), valuesOf(request, 'x-api-key')];
  const invalid = { detail: 'Invalid API key' };
  if (authorizations.length > 1 || keys.length > 1) return invalid;
  const [scheme = '', token = ''] = splitAtWhiteSpace(authorizations[0] ?? '');
  const sent = new Set([scheme.toLowerCase() === 'bearer' ? token : '', keys[0] ?? '']);
  sent.delete('');
  if (sent.size === 0) return { detail: 'Missing API key' };
  if (sent.size > 1) return invalid;
  const [key = ''] = sent;
  const account = world.accounts.get(key);
  return account === undefined ? invalid : { account };
}

function splitAtWhiteSpace(text: string): string[] {
  const at = text.search(/[ \t]/);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at).replace(/^[ \t]+/, '')];
}

/** Sorts by section 4.1.2 and docs/decisions/ordering.md: equal times by the id's UTF-8 bytes, descending. */
function newestFirst<Memory extends { id: string; started_at: string }>(memories: readonly Memory[]): Memory[] {
  return [...memories].sort((first, second) => {
    const times = Date.parse(second.started_at) - Date.parse(first.started_at);
    return times || Buffer.compare(Buffer.from(second.id), Buffer.from(first.id));
  });
}

/** Returns the decoded id, or `undefined` if it is malformed (docs/decisions/ids-and-paths.md). */
function decoded(segment: string): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(segment)) return undefined;
  const bytes = Buffer.from(
    segment.replace(/%(..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
  // Bytes that are not UTF-8 do not survive decoding and encoding.
  const id = bytes.toString('utf8');
  if (!Buffer.from(id).equals(bytes)) return undefined;
  const points = Array.from(id, (character) => character.codePointAt(0) ?? 0);
  const isControl = (point: number) => point < 0x20 || (point >= 0x7f && point <= 0x9f);
  return points.length > 256 || points.some(isControl) ? undefined : id;
}
