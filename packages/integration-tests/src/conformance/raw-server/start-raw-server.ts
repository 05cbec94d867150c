import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Listening, listen } from '@memory-read/test-kit/listen';
import type { Change, RawAnswer, RawRequest } from './change.ts';
import { accounts, type RawAccount, type RawMemory } from './memories.ts';

const allAccounts: RawAccount[] = Object.values(accounts);

/**
 * Starts a server that is written from docs/specification.md alone, without code of the packages. `change` makes it a
 * mutant.
 */
export function startRawServer(change: Change = {}): Promise<Listening> {
  return listen((message, response) => {
    const request = toRequest(message);
    const answer = request.path.startsWith('/media/')
      ? answerMedia(request, change)
      : withHeaders(answerApi(request, change), request);
    const { status, headers, body } = change.answer?.(answer, request) ?? answer;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : text);
  });
}

function toRequest({ method = '', url = '', headers }: IncomingMessage): RawRequest {
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  return { method, path, query: new URLSearchParams(query), headers, isList: path === '/v1/memories' };
}

function answerApi(request: RawRequest, change: Change): RawAnswer {
  const [, segment] = /^\/v1\/memories\/([^/]+)$/.exec(request.path) ?? [];
  if (!request.isList && segment === undefined) return error(404, 'Not Found');
  if (!['GET', 'HEAD'].includes(request.method)) return error(405, 'Method Not Allowed', { allow: 'GET, HEAD' });
  const read = keysOf(request);
  const keys = change.keys?.(read, request) ?? read;
  const known = allAccounts.find((each) => each.isActive && keys.every((key) => key === each.key) && keys.length > 0);
  const account = change.account ? change.account(known, keys[0], request) : known;
  if (account === undefined) {
    return error(401, keys.length === 0 ? 'Missing API key' : 'Invalid API key', { 'www-authenticate': 'Bearer' });
  }
  const present = (memory: RawMemory, owner: RawAccount, where: 'list' | 'detail') => {
    const sent = toSent(memory, owner, request, change);
    if (where === 'list') sent.transcript = null;
    return change.memory ? change.memory(sent, where) : sent;
  };
  if (segment === undefined) {
    const memories = account.memories.map((memory) => present(memory, account, 'list'));
    return { status: 200, headers: {}, body: change.list ? change.list(memories as RawMemory[], request) : memories };
  }
  const id = decode(segment);
  if (id === undefined) return error(422, 'Malformed memory id');
  for (const owner of change.searched?.(account, request) ?? [account]) {
    const memory = owner.memories.find((each) => each.id === id);
    if (memory) return { status: 200, headers: {}, body: present(memory, owner, 'detail') };
  }
  return error(404, 'Memory not found');
}

function keysOf({ headers }: RawRequest): string[] {
  const [, bearer = ''] = /^bearer +(\S+)$/i.exec(String(headers.authorization ?? '')) ?? [];
  return [...new Set([bearer, String(headers['x-api-key'] ?? '')])].filter((key) => key !== '');
}

function decode(segment: string): string | undefined {
  try {
    const id = decodeURIComponent(segment);
    return [...id].length > 256 || /\p{Cc}/u.test(id) ? undefined : id;
  } catch {
    return undefined;
  }
}

function toSent(memory: RawMemory, owner: RawAccount, { headers }: RawRequest, change: Change): RawMemory {
  const now = Math.floor(Date.now() / 1000);
  const urls = ['audio_url', 'video_url', 'preview_image_url'].map((field) => {
    if (memory[field] === null) return [field, null];
    const path = `/media/${encodeURIComponent(String(memory.id))}/${memory[field]}`;
    const expires = now + (change.lifetime?.(3600, field) ?? 3600);
    return [field, `http://${headers.host}${path}?expires=${expires}&signature=${sign(path, String(expires))}`];
  });
  return { ...memory, user_id: owner.userId, ...Object.fromEntries(urls) };
}

function answerMedia({ path, query }: RawRequest, change: Change): RawAnswer {
  const expires = query.get('expires') ?? '';
  const isSigned = query.get('signature') === sign(path, expires) && Number(expires) * 1000 > Date.now();
  const isOpen = change.opens?.(isSigned, path, query) ?? isSigned;
  return isOpen ? { status: 200, headers: {}, body: 'the file' } : { status: 403, headers: {}, body: 'no' };
}

function sign(path: string, expires: string): string {
  return createHmac('sha256', 'of the raw server').update(`${path}\n${expires}`).digest('base64url');
}

function error(status: number, detail: string, headers: Record<string, string> = {}): RawAnswer {
  return { status, headers, body: { detail } };
}

function withHeaders(answer: RawAnswer, request: RawRequest): RawAnswer {
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': String(request.headers['x-request-id'] ?? 'req_1'),
    ...answer.headers,
  };
  return { ...answer, headers };
}
