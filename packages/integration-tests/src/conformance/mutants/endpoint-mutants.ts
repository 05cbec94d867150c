import { randomUUID } from 'node:crypto';
import type { Change, RawAnswer, RawRequest } from '../raw-server/change.ts';
import { accounts, type RawMemory } from '../raw-server/memories.ts';
import { answering, breaking, isProcessing, isRefused, type Mutant, saying, withHeader } from './mutant.ts';

const { ada, grace } = accounts;
const isDetail = ({ path }: RawRequest) => path.startsWith('/v1/memories/');
const isList = ({ status }: RawAnswer, request: RawRequest) => request.isList && status === 200;
const isEmptyList = (answer: RawAnswer, request: RawRequest) =>
  isList(answer, request) && (answer.body as unknown[]).length === 0;
const isMemory = ({ status }: RawAnswer, request: RawRequest) => isDetail(request) && status === 200;
const isProcessed = (answer: RawAnswer, request: RawRequest) => isMemory(answer, request) && !isProcessing(answer.body);
const isInvalid = isRefused('Invalid API key');
const isMissing = isRefused('Missing API key');
const failed = saying(500, 'Internal server error');

/** Section 4: the two endpoints. */
export const endpointMutants: readonly Mutant[] = [
  ...breaking(['4.1 Success'], {
    'the list is wrapped in an object': { list: (memories) => ({ memories }) },
    'the list is not valid JSON': answering(isList, { body: '<memories/>' }),
    'the list is a 500': answering(isList, failed),
  }),
  ...breaking(['4.1 Success', '4.1.4'], { 'the list holds null': { list: (memories) => [...memories, null] } }),
  ...breaking(['4.1 Success', '4.1 Errors'], {
    'the list is a 206': answering(isList, { status: 206 }),
    'the list has moved': answering(isList, (answer) => ({
      ...withHeader('location', '/v2/memories')(answer),
      status: 307,
    })),
  }),

  ...breaking(['4.1 Query parameters'], {
    'limit cuts the list': listingBy('limit', (memories, limit) => memories.slice(0, Number(limit))),
    'page turns the list': listingBy('page', (memories, page) => (page === '2' ? [] : memories)),
    'per_page cuts the list': listingBy('per_page', (memories, count) => memories.slice(0, Number(count))),
    'a cursor that is none empties the list': listingBy('cursor', () => []),
    'order turns the list around': listingBy('order', (memories) => memories.toReversed()),
    'is_processing filters the list': listingBy('is_processing', (memories) => memories.filter(isProcessing)),
  }),

  ...breaking(['4.1 Errors', '5.4 wrong', '5.4 inactive'], {
    'a wrong key is a 403 on the list': answering((answer, { isList }) => isList && isInvalid(answer), { status: 403 }),
  }),
  ...breaking(['4.1 Errors', '5.4 missing'], {
    'the list without a key is a 404': answering((answer, { isList }) => isList && isMissing(answer), { status: 404 }),
  }),
  ...breaking(['4.1.1'], {
    'one memory of the list has another owner': {
      memory: (memory) => (memory.id === 'mem_100000' ? { ...memory, user_id: 'user_grace' } : memory),
    },
  }),
  ...breaking(['4.1.1', '4.2 Success', '5.5'], {
    'the list holds a memory of another account': {
      list: (memories) => {
        const foreign = { ...grace.memories[0], user_id: 'user_grace', transcript: null };
        return memories.length === 0 ? [] : [foreign, ...memories.filter(({ id }) => id !== 'mem_200002')];
      },
    },
  }),
  ...breaking(['4.1.2'], {
    'the list is the oldest first': { list: (memories) => memories.toReversed() },
    'the list is sorted by name': {
      list: (memories) => memories.toSorted((one, other) => (String(one.name) < String(other.name) ? -1 : 1)),
    },
    'the list is sorted by the text of started_at': {
      memory: (memory) =>
        memory.id === 'mem_100004' ? { ...memory, started_at: '2026-03-05T18:00:00+14:00' } : memory,
      list: (memories) =>
        memories.toSorted((one, other) => (String(one.started_at) < String(other.started_at) ? 1 : -1)),
    },
  }),
  ...breaking(['4.1.3'], {
    'the list has transcripts': {
      memory: (memory) => ({ ...memory, transcript: memory.is_processing ? null : { segments: [] } }),
    },
  }),
  ...breaking(['4.1.4'], {
    'an empty list is a 404': answering(isEmptyList, saying(404, 'Not Found')),
    'an empty list is null': answering(isEmptyList, { body: null }),
  }),

  ...breaking(['4.2 Success', '3 Processing'], {
    'a memory is wrapped in an array': answering(isMemory, ({ body }) => ({ body: [body] })),
  }),
  ...breaking(['4.2 Success'], {
    'a processed memory is a 500': answering(isProcessed, failed),
    'ids are not decoded': answering(
      (_answer, request) => request.path.includes('%20') && isDetail(request),
      saying(404, 'Memory not found'),
    ),
  }),
  ...breaking(['4.2 Errors', '4.2.2 unknown', '4.2.2 other account'], {
    'a memory that nobody has is a 410': answering(isUnknown, { status: 410 }),
  }),
  ...breaking(['4.2 Errors', '5.4 missing'], {
    'the detail endpoint without a key is a 403': answering(
      (answer, request) => isDetail(request) && isMissing(answer),
      { status: 403 },
    ),
  }),
  ...breaking(['4.2.1'], {
    'the newest processed memory comes for every other one': answering(isProcessed, ({ body }) => ({
      body: { ...(body as object), id: 'mem_100004' },
    })),
    'a memory has another owner than in the list': {
      memory: (memory, where) => (where === 'detail' ? { ...memory, user_id: 'user_eve' } : memory),
    },
  }),
  ...breaking(['4.2.2 unknown', '4.2.2 other account'], {
    'a memory that nobody has is null': answering(isUnknown, { status: 200, body: 'null' }),
    'a memory that nobody has is told in other words': answering(isUnknown, saying(404, 'No such memory')),
  }),
  ...breaking(['4.2.2 other account'], {
    'another account’s memory is forbidden': answering(isForeign, saying(403, 'Forbidden')),
    'another account’s memory is not found in other words': answering(
      isForeign,
      saying(404, 'Memory not found in your account'),
    ),
    'another account’s memory has a field of its own': answering(isForeign, {
      body: { detail: 'Memory not found', owner: 'hidden' },
    }),
    'another account’s memory has a header of its own': answering(isForeign, withHeader('x-shard', '2')),
    'another account’s memory has a code of its own in the body': {
      answer: (answer, request) =>
        answer.status === 404
          ? { ...answer, body: { detail: 'Memory not found', code: isForeign(answer, request) ? 'FOREIGN' : 'NONE' } }
          : answer,
    },
    'another account’s memory has a code of its own in a header, beside one that changes each time': {
      answer: (answer, request) => {
        const reason = isForeign(answer, request) ? 'foreign' : 'none';
        return { ...answer, headers: { ...answer.headers, 'x-trace': randomUUID(), 'x-reason': reason } };
      },
    },
  }),
  ...breaking(['4.2.3'], {
    'no memory has a transcript': { memory: (memory) => ({ ...memory, transcript: null }) },
    'no memory read alone has a summary': {
      memory: (memory, where) => (where === 'detail' ? { ...memory, summary: null } : memory),
    },
  }),
];

/** Changes the list if the query has a parameter. */
function listingBy(parameter: string, change: (memories: RawMemory[], value: string) => RawMemory[]): Change {
  return {
    list(memories, { query }) {
      const value = query.get(parameter);
      return value === null ? memories : change(memories, value);
    },
  };
}

/** Changes the response for a well-formed id that no account has. */
function isUnknown(_answer: RawAnswer, request: RawRequest): boolean {
  const { path, headers } = request;
  const known = Object.values(accounts).some(({ memories }) =>
    memories.some(({ id }) => path === `/v1/memories/${encodeURIComponent(String(id))}`),
  );
  const isMalformed = /%(zz|00|ff|7f)|a{200}/.test(path);
  return isDetail(request) && !known && !isMalformed && headers.authorization === `Bearer ${ada.key}`;
}

/** Changes the response for a memory of grace that is requested with the key of ada. */
function isForeign(_answer: RawAnswer, { path, headers }: RawRequest): boolean {
  const isOfGrace = grace.memories.some(({ id }) => path === `/v1/memories/${id}`);
  return isOfGrace && headers.authorization === `Bearer ${ada.key}`;
}
