import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type MswName, runInNode } from './run-mock.ts';

type Answers = Record<'throughFetch' | 'throughMsw', Record<'first' | 'again', string[]>>;

const answersOf = (msw: MswName, ...options: string[]) =>
  runInNode<Answers>(msw, join(import.meta.dirname, 'print-answers.ts'), options);
const idsOf = (answers: string[]) => answers.map((answer) => /"x-request-id","(\w+)"/.exec(answer)?.[1]);

test.each<MswName>(['msw', 'msw-2'])(
  'with now and seed, all responses of %s and mock.fetch are the same in two processes and after a reset',
  async (msw) => {
    const [one, two] = await Promise.all([
      answersOf(msw, '1', '2026-01-01T12:00:00Z'),
      answersOf(msw, '1', '2026-01-01T12:00:00Z'),
    ]);
    expect(one.throughFetch.first.length).toBeGreaterThan(70);
    for (const way of ['throughFetch', 'throughMsw'] as const) {
      expect(two[way].first).toEqual(one[way].first);
      expect(one[way].again).toEqual(one[way].first);
    }
  },
);

test('without now, the request ids follow the seed and the order of arrival', async () => {
  const [one, two, other] = await Promise.all(['1', '1', 'other'].map((seed) => answersOf('msw', seed)));
  const ids = idsOf(one?.throughFetch.first ?? []);
  expect(ids).toEqual(idsOf(two?.throughFetch.first ?? []));
  expect(ids.filter((id, index) => id !== undefined && id === idsOf(other?.throughFetch.first ?? [])[index])).toEqual([
    'mine',
  ]);
});
