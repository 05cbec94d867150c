import { randomUUID } from 'node:crypto';
import { runConformance } from '@memory-read/conformance';
import { expect, test } from 'vitest';
import type { Change, RawAnswer, RawRequest } from './raw-server/change.ts';
import type { RawMemory } from './raw-server/memories.ts';
import { runKeys } from './raw-server/run-keys.ts';
import { startRawServer } from './raw-server/start-raw-server.ts';

interface ConformingServer {
  does: string;
  change: Change;
  /** The rules of which nothing can be told. */
  skipped?: readonly string[];
}

const servers: readonly ConformingServer[] = [
  { does: 'has memories that started at one time in an order of its own each time', change: { list: inAnyOrder() } },
  { does: 'has one memory more in each list but the first', change: { list: growing() } },
  ...[2, 3, 5].map((every) => ({
    does: `has a header in each answer of ${every}`,
    change: {
      answer: counting((answer, count) => (count % every === 0 ? withHeader(answer, 'x-sampled', '1') : answer)),
    },
  })),
  ...[2, 3].map((every) => ({
    does: `has a field in each error of ${every}`,
    change: { answer: counting((answer, count) => (count % every === 0 ? withField(answer, 'hint', 'none') : answer)) },
  })),
  {
    does: 'gives each response an id of its own',
    change: { answer: (answer) => withField(withHeader(answer, 'x-trace', randomUUID()), 'trace', randomUUID()) },
  },
  { does: 'repeats the path in errors', change: { answer: (answer, { path }) => withField(answer, 'instance', path) } },
  {
    does: 'answers by turns from two machines',
    change: { answer: counting((answer, count) => withHeader(answer, 'x-served-by', `machine-${count % 2}`)) },
  },
  ...[4, 9, 13].map((every) => ({
    does: `fails in each request of ${every}, and not in the next`,
    change: { answer: counting((answer, count) => (count % every === 0 ? failed : answer)) },
  })),
  {
    does: 'finds ids malformed that differ much from its own',
    change: {
      answer: (answer: RawAnswer, { path }: RawRequest) =>
        isOdd(path, /^(mem_[12]0000\d|mem 3\/ü\?)$/) ? malformed : answer,
    },
  },
  {
    does: 'finds every id malformed that it did not give out',
    change: {
      answer: (answer: RawAnswer, { path }: RawRequest) =>
        isOdd(path, /^(mem_[12]0000[0-5]|mem 3\/ü\?)$/) ? malformed : answer,
    },
    skipped: ['4.2 Errors', '4.2.2 unknown', '4.2.2 other account'],
  },
  {
    does: 'has a media host that limits the rate',
    change: {
      answer: (answer: RawAnswer, { path }: RawRequest) =>
        path.startsWith('/media/') ? { ...answer, status: 429 } : answer,
    },
    skipped: ['2.1 audio_url reachable', '2.1 video_url reachable', '2.1 preview_image_url reachable', '2.1.1 signed'],
  },
  {
    does: 'repeats the path in errors, where one id of each kind is all that there is to compare',
    change: {
      list: (memories) => (memories[0]?.user_id === 'user_grace' ? memories.slice(0, 1) : memories),
      answer: (answer, { path }) =>
        isOdd(path, /^(mem_10000[0-6]|mem_20000[12]|mem 3\/ü\?)$/) ? malformed : withField(answer, 'instance', path),
    },
  },
  {
    does: 'refuses a query',
    change: {
      answer: (answer: RawAnswer, { query, isList }: RawRequest) =>
        isList && [...query].length > 0 ? malformed : answer,
    },
  },
];

test.each(servers)('a server that $does breaks nothing', async ({ change, skipped = [] }) => {
  const server = await startRawServer(change);
  const { results, requests, passed } = await runConformance({ baseUrl: server.url, ...runKeys, media: true });
  await server.close();
  const of = (status: string) => results.filter((result) => result.status === status);
  expect(of('failed')).toEqual([]);
  expect(of('skipped').map(({ rule }) => rule)).toEqual(skipped);
  expect(passed).toBe(true);
  expect(requests).toBeLessThan(60);
});

const failed = {
  status: 500,
  headers: { 'content-type': 'application/json' },
  body: { detail: 'Internal server error' },
};
const malformed = { ...failed, status: 422, body: { detail: [{ loc: ['path', 'memory_id'], msg: 'not valid' }] } };

function isOdd(path: string, form: RegExp): boolean {
  const [, segment] = /^\/v1\/memories\/(.+)$/.exec(path) ?? [];
  return segment !== undefined && !/%(zz|ff)/.test(segment) && !form.test(decodeURIComponent(segment));
}

function counting(change: (answer: RawAnswer, count: number) => RawAnswer): NonNullable<Change['answer']> {
  let count = 0;
  return (answer, { path }) => {
    if (path.startsWith('/media/')) return answer;
    count += 1;
    return change(answer, count);
  };
}

function withHeader(answer: RawAnswer, name: string, value: string): RawAnswer {
  return { ...answer, headers: { ...answer.headers, [name]: value } };
}

function withField(answer: RawAnswer, name: string, value: string): RawAnswer {
  return answer.status < 400 ? answer : { ...answer, body: { ...(answer.body as object), [name]: value } };
}

/** Two of the memories of ada started at one time. */
function inAnyOrder(): NonNullable<Change['list']> {
  let count = 0;
  return (memories) => {
    count += 1;
    const swapped = count % 2 === 0 ? memories.toReversed() : memories;
    return swapped.toSorted((one, other) => Date.parse(String(other.started_at)) - Date.parse(String(one.started_at)));
  };
}

function growing(): NonNullable<Change['list']> {
  let count = 0;
  return (memories) => {
    const [newest] = memories;
    count += 1;
    const fresh: RawMemory[] =
      newest && count > 1 ? [{ ...newest, id: `mem_90000${count}`, started_at: '2026-04-01T08:00:00.000Z' }] : [];
    return [...fresh, ...memories];
  };
}
