import { randomUUID } from 'node:crypto';
import type { RawAnswer, RawRequest } from '../raw-server/change.ts';
import { accounts } from '../raw-server/memories.ts';
import { answering, type Mutant } from './mutant.ts';

const isList = ({ status }: RawAnswer, request: RawRequest) => request.isList && status === 200;
const isMemory = ({ status }: RawAnswer, request: RawRequest) => isDetail(request) && status === 200;
const isDetail = ({ path }: RawRequest) => path.startsWith('/v1/memories/');
const { ada, grace } = accounts;

/** Section 4: the two endpoints. */
export const endpointMutants: readonly Mutant[] = [
  { name: 'the list is wrapped in an object', red: ['4.1 Success'], change: { list: (memories) => ({ memories }) } },
  { name: 'the list holds null', red: ['4.1 Success', '4.1.4'], change: { list: (memories) => [...memories, null] } },
  { name: 'the list is no JSON', red: ['4.1 Success'], change: answering(isList, { body: '<memories/>' }) },
  {
    name: 'the list is a 500',
    red: ['4.1 Success'],
    change: answering(isList, { status: 500, body: { detail: 'Internal server error' } }),
  },
  { name: 'the list is a 206', red: ['4.1 Success', '4.1 Errors'], change: answering(isList, { status: 206 }) },
  {
    name: 'the list has moved',
    red: ['4.1 Success', '4.1 Errors'],
    change: answering(isList, ({ headers }) => ({ status: 307, headers: { ...headers, location: '/v2/memories' } })),
  },

  {
    name: 'limit cuts the list',
    red: ['4.1 Query parameters'],
    change: { list: (memories, { query }) => memories.slice(0, Number(query.get('limit') ?? 99)) },
  },
  {
    name: 'page turns the list',
    red: ['4.1 Query parameters'],
    change: { list: (memories, { query }) => (query.get('page') === '2' ? [] : memories) },
  },
  {
    name: 'per_page cuts the list',
    red: ['4.1 Query parameters'],
    change: { list: (memories, { query }) => memories.slice(0, Number(query.get('per_page') ?? 99)) },
  },
  {
    name: 'a cursor that is none empties the list',
    red: ['4.1 Query parameters'],
    change: { list: (memories, { query }) => (query.has('cursor') ? [] : memories) },
  },
  {
    name: 'order turns the list around',
    red: ['4.1 Query parameters'],
    change: { list: (memories, { query }) => (query.has('order') ? memories.toReversed() : memories) },
  },
  {
    name: 'is_processing filters the list',
    red: ['4.1 Query parameters'],
    change: {
      list: (memories, { query }) =>
        query.has('is_processing') ? memories.filter((memory) => memory.is_processing) : memories,
    },
  },

  {
    name: 'a wrong key is a 403 on the list',
    red: ['4.1 Errors', '5.4 wrong', '5.4 inactive'],
    change: answering(({ status, body }, request) => request.isList && status === 401 && isInvalid(body), {
      status: 403,
    }),
  },
  {
    name: 'the list without a key is a 404',
    red: ['4.1 Errors', '5.4 missing'],
    change: answering(({ status, body }, request) => request.isList && status === 401 && !isInvalid(body), {
      status: 404,
    }),
  },
  {
    name: 'one memory of the list has another owner',
    red: ['4.1.1'],
    change: { memory: (memory) => (memory.id === 'mem_100000' ? { ...memory, user_id: 'user_grace' } : memory) },
  },
  {
    name: 'the list holds a memory of another account',
    red: ['4.1.1', '4.2 Success', '5.5'],
    change: {
      list: (memories) =>
        memories.length === 0
          ? []
          : [
              { ...grace.memories[0], user_id: 'user_grace', transcript: null },
              ...memories.filter(({ id }) => id !== 'mem_200002'),
            ],
    },
  },
  { name: 'the list is the oldest first', red: ['4.1.2'], change: { list: (memories) => memories.toReversed() } },
  {
    name: 'the list is sorted by name',
    red: ['4.1.2'],
    change: { list: (memories) => memories.toSorted((one, other) => (String(one.name) < String(other.name) ? -1 : 1)) },
  },
  {
    name: 'the list is sorted by the text of started_at',
    red: ['4.1.2'],
    change: {
      memory: (memory) =>
        memory.id === 'mem_100004' ? { ...memory, started_at: '2026-03-05T18:00:00+14:00' } : memory,
      list: (memories) =>
        memories.toSorted((one, other) => (String(one.started_at) < String(other.started_at) ? 1 : -1)),
    },
  },
  {
    name: 'the list has transcripts',
    red: ['4.1.3'],
    change: { memory: (memory) => ({ ...memory, transcript: memory.is_processing ? null : { segments: [] } }) },
  },
  {
    name: 'an empty list is a 404',
    red: ['4.1.4'],
    change: answering((answer, request) => isList(answer, request) && isEmpty(answer.body), {
      status: 404,
      body: { detail: 'Not Found' },
    }),
  },
  {
    name: 'an empty list is null',
    red: ['4.1.4'],
    change: answering((answer, request) => isList(answer, request) && isEmpty(answer.body), { body: null }),
  },

  {
    name: 'a memory is wrapped in an array',
    red: ['4.2 Success', '3 Processing'],
    change: answering(isMemory, ({ body }) => ({ body: [body] })),
  },
  {
    name: 'a processed memory is a 500',
    red: ['4.2 Success'],
    change: answering((answer, request) => isMemory(answer, request) && !isProcessing(answer.body), {
      status: 500,
      body: { detail: 'Internal server error' },
    }),
  },
  {
    name: 'ids are not decoded',
    red: ['4.2 Success'],
    change: answering((_answer, { path }) => path.includes('%20') && isDetail({ path } as RawRequest), {
      status: 404,
      body: { detail: 'Memory not found' },
    }),
  },
  {
    name: 'a memory that nobody has is a 410',
    red: ['4.2 Errors', '4.2.2 unknown', '4.2.2 other account'],
    change: answering((_answer, request) => isDetail(request) && isUnknown(request), { status: 410 }),
  },
  {
    name: 'the detail endpoint without a key is a 403',
    red: ['4.2 Errors', '5.4 missing'],
    change: answering(({ status, body }, request) => isDetail(request) && status === 401 && !isInvalid(body), {
      status: 403,
    }),
  },
  {
    name: 'the newest processed memory comes for every other one',
    red: ['4.2.1'],
    change: answering(
      (answer, request) => isMemory(answer, request) && !isProcessing(answer.body),
      ({ body }) => ({ body: { ...(body as object), id: 'mem_100004' } }),
    ),
  },
  {
    name: 'a memory has another owner than in the list',
    red: ['4.2.1'],
    change: { memory: (memory, where) => (where === 'detail' ? { ...memory, user_id: 'user_eve' } : memory) },
  },
  {
    name: 'a memory that nobody has is null',
    red: ['4.2.2 unknown', '4.2.2 other account'],
    change: answering((_answer, request) => isDetail(request) && isUnknown(request), { status: 200, body: 'null' }),
  },
  {
    name: 'a memory that nobody has is told in other words',
    red: ['4.2.2 unknown', '4.2.2 other account'],
    change: answering((_answer, request) => isDetail(request) && isUnknown(request), {
      body: { detail: 'No such memory' },
    }),
  },
  {
    name: 'another account’s memory is forbidden',
    red: ['4.2.2 other account'],
    change: answering((_answer, request) => isForeign(request), { status: 403, body: { detail: 'Forbidden' } }),
  },
  {
    name: 'another account’s memory is not found in other words',
    red: ['4.2.2 other account'],
    change: answering((_answer, request) => isForeign(request), {
      body: { detail: 'Memory not found in your account' },
    }),
  },
  {
    name: 'another account’s memory has a field of its own',
    red: ['4.2.2 other account'],
    change: answering((_answer, request) => isForeign(request), {
      body: { detail: 'Memory not found', owner: 'hidden' },
    }),
  },
  {
    name: 'another account’s memory has a header of its own',
    red: ['4.2.2 other account'],
    change: answering(
      (_answer, request) => isForeign(request),
      ({ headers }) => ({ headers: { ...headers, 'x-shard': '2' } }),
    ),
  },
  {
    name: 'another account’s memory has a code of its own in the body',
    red: ['4.2.2 other account'],
    change: {
      answer: (answer, request) =>
        answer.status === 404
          ? { ...answer, body: { detail: 'Memory not found', code: isForeign(request) ? 'FOREIGN' : 'NONE' } }
          : answer,
    },
  },
  {
    name: 'another account’s memory has a code of its own in a header, beside one that changes each time',
    red: ['4.2.2 other account'],
    change: {
      answer: (answer, request) => ({
        ...answer,
        headers: { ...answer.headers, 'x-trace': randomUUID(), 'x-reason': isForeign(request) ? 'foreign' : 'none' },
      }),
    },
  },
  {
    name: 'no memory has a transcript',
    red: ['4.2.3'],
    change: { memory: (memory) => ({ ...memory, transcript: null }) },
  },
  {
    name: 'no memory read alone has a summary',
    red: ['4.2.3'],
    change: { memory: (memory, where) => (where === 'detail' ? { ...memory, summary: null } : memory) },
  },
];

function isInvalid(body: unknown): boolean {
  return (body as { detail: string }).detail === 'Invalid API key';
}

function isProcessing(body: unknown): boolean {
  return (body as { is_processing?: unknown }).is_processing === true;
}

function isEmpty(body: unknown): boolean {
  return Array.isArray(body) && body.length === 0;
}

/** A path of a well-formed id that no account has. */
function isUnknown({ path, headers }: RawRequest): boolean {
  const known = Object.values(accounts).some(({ memories }) =>
    memories.some(({ id }) => path === `/v1/memories/${encodeURIComponent(String(id))}`),
  );
  return !known && !/%(zz|00|ff|7f)|a{200}/.test(path) && headers.authorization === `Bearer ${ada.key}`;
}

/** A path of grace's, with the key of ada. */
function isForeign({ path, headers }: RawRequest): boolean {
  return (
    grace.memories.some(({ id }) => path === `/v1/memories/${id}`) && headers.authorization === `Bearer ${ada.key}`
  );
}
