import { randomUUID } from 'node:crypto';
import { conformanceRules } from '@memory-read/conformance';
import { expect, test } from 'vitest';
import { withHeader } from './mutants/mutant.ts';
import type { Change, RawAnswer, RawRequest } from './raw-server/change.ts';
import type { RawMemory } from './raw-server/memories.ts';
import { rulesThat, runOver } from './run-over.ts';

const failed = {
  status: 500,
  headers: { 'content-type': 'application/json' },
  body: { detail: 'Internal server error' },
};
const malformed = { ...failed, status: 422, body: { detail: [{ loc: ['path', 'memory_id'], msg: 'not valid' }] } };

const servers: Record<string, Change> = {
  'is written from the specification': {},
  'has memories that started at one time in an order of its own each time': { list: inAnyOrder() },
  'has one memory more in each list but the first': { list: growing() },
  ...inTurn('has a header in each answer of N', [2, 3, 5], withHeader('x-sampled', '1')),
  ...inTurn('has a field in each error of N', [2, 3], (answer) => withField(answer, 'hint', 'none')),
  ...inTurn('fails in each request of N, and not in the next', [4, 9, 13], () => failed),
  ...inTurn('answers by turns from N machines', [2], withHeader('x-served-by', '0'), withHeader('x-served-by', '1')),
  'gives each response an id of its own': {
    answer: (answer) => withField({ ...answer, ...withHeader('x-trace', randomUUID())(answer) }, 'trace', randomUUID()),
  },
  'repeats the path in errors': { answer: (answer, { path }) => withField(answer, 'instance', path) },
  'finds ids malformed that differ much from its own': {
    answer: (answer, request) => (isOdd(request, /^(mem_[12]0000\d|mem 3\/ü\?)$/) ? malformed : answer),
  },
  'finds every id malformed that it did not give out': {
    answer: (answer, request) => (isOdd(request, /^(mem_[12]0000[0-5]|mem 3\/ü\?)$/) ? malformed : answer),
  },
  'has a media host that limits the rate': {
    answer: (answer, { path }) => (path.startsWith('/media/') ? { ...answer, status: 429 } : answer),
  },
  'repeats the path in errors, where one id of each kind is all that there is to compare': {
    list: (memories) => (memories[0]?.user_id === 'user_grace' ? memories.slice(0, 1) : memories),
    answer: (answer, request) =>
      isOdd(request, /^(mem_10000[0-6]|mem_20000[12]|mem 3\/ü\?)$/)
        ? malformed
        : withField(answer, 'instance', request.path),
  },
  'refuses a query': { answer: (answer, { query, isList }) => (isList && query.size > 0 ? malformed : answer) },
};

/** The rules that cannot be checked. */
const skipped: Record<string, readonly string[]> = {
  'finds every id malformed that it did not give out': ['4.2 Errors', '4.2.2 other account', '4.2.2 unknown'],
  'has a media host that limits the rate': [
    '2.1 audio_url reachable',
    '2.1 preview_image_url reachable',
    '2.1 video_url reachable',
    '2.1.1 signed',
  ],
};

test.each(Object.entries(servers))('a server that %s breaks no rule', async (does, change) => {
  const report = await runOver(change);
  expect(rulesThat(report, 'failed')).toEqual([]);
  expect(rulesThat(report, 'skipped')).toEqual(skipped[does] ?? []);
  expect(report).toMatchObject({ passed: true, access: 'granted' });
  expect(report.requests).toBeLessThan(60);
});

test('a server that is written from the specification follows every decision too', async () => {
  const report = await runOver({}, 'reference');
  expect(rulesThat(report, 'passed')).toHaveLength(conformanceRules.length);
  expect(report.requests).toBeLessThan(60);
});

function isOdd({ path }: RawRequest, form: RegExp): boolean {
  const [, segment] = /^\/v1\/memories\/(.+)$/.exec(path) ?? [];
  return segment !== undefined && !/%(zz|ff)/.test(segment) && !form.test(decodeURIComponent(segment));
}

type AnswerChange = (answer: RawAnswer) => Partial<RawAnswer>;

/** Servers that change one of this many responses in one way, and all others in another way. */
function inTurn(name: string, counts: number[], change: AnswerChange, changeOther: AnswerChange = () => ({})) {
  const changeOf = (every: number): Change => {
    let count = 0;
    return {
      answer(answer, { path }) {
        if (path.startsWith('/media/')) return answer;
        count += 1;
        return { ...answer, ...(count % every === 0 ? change : changeOther)(answer) };
      },
    };
  };
  return Object.fromEntries(counts.map((every) => [name.replace('N', String(every)), changeOf(every)]));
}

function withField(answer: RawAnswer, name: string, value: string): RawAnswer {
  return answer.status < 400 ? answer : { ...answer, body: { ...(answer.body as object), [name]: value } };
}

/** Two memories of ada have the same start. */
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
