import { expect, test } from 'vitest';
import { type ResolvedName, resolveNames } from './resolve-names.ts';
import { type Spoken, saidOf } from './said.ts';

type Row = [label: string, from: number | string, to: number | string, text?: string];

/** Returns a version. Times are seconds, or texts that stay as they are. */
function version(...rows: Row[]): Spoken {
  const at = (time: number | string) => (typeof time === 'string' ? time : new Date(time * 1000).toISOString());
  const segments = rows.map(([speaker, from, to, text = `${speaker} ${from}`]) => {
    return { speaker, start_at: at(from), end_at: at(to), text };
  });
  return { transcript: { segments } };
}

/** Resolves names that were given to labels of `seen`. A person is a number. */
function resolve(seen: Spoken, people: Record<string, number>, memory: Spoken): ResolvedName[] {
  const said = saidOf(seen);
  const names = Object.entries(people).map(([label, person]) => ({ said: said.get(label) ?? '', person, seen }));
  return resolveNames(names, memory);
}

const certain = (label: string) => ({ state: 'certain', label });
const doubtful = (label: string | null = null) => ({ state: 'doubtful', label });

test('a name follows the very same words, whatever their label is called now', () => {
  const seen = version(['A', 0, 10, 'x'], ['B', 10, 20, 'y']);
  const swapped = version(['B', 0, 10, 'x'], ['A', 10, 20, 'y']);
  expect(resolve(seen, { A: 1, B: 2 }, swapped)).toEqual([certain('B'), certain('A')]);
  const [name] = [{ said: saidOf(seen).get('A') ?? '', person: 1, seen: undefined }];
  expect(resolveNames([name], swapped)).toEqual([certain('B')]);
});

test.each([
  [80, certain('X')],
  [79.999, doubtful('X')],
  [50, doubtful()],
])('a label that shares %d %% of the common time of the old speaker is %j', (share, result) => {
  const seen = version(['A', 0, 100], ['B', 100, 200]);
  const memory = version(['X', 0, share], ['Y', share, 200]);
  expect(resolve(seen, { A: 1 }, memory)).toEqual([result]);
});

test('at least 0.8 of the own common time of the new label is from the old speaker', () => {
  const seen = version(['A', 0, 80], ['B', 80, 200]);
  expect(resolve(seen, { A: 1 }, version(['X', 0, 100], ['Y', 100, 200]))).toEqual([certain('X')]);
  expect(resolve(seen, { A: 1 }, version(['X', 0, 100.001], ['Y', 100.001, 200]))).toEqual([doubtful('X')]);
  // Time at which no speaker spoke before does not count.
  expect(resolve(seen, { A: 1 }, version(['X', -500, 100], ['Y', 100, 200]))).toEqual([certain('X')]);
});

test('common time covers half of the time of the old speaker', () => {
  const seen = version(['A', 0, 100]);
  expect(resolve(seen, { A: 1 }, version(['X', 50, 150]))).toEqual([certain('X')]);
  expect(resolve(seen, { A: 1 }, version(['X', 50.001, 150]))).toEqual([doubtful()]);
});

test('two people on one label, and two labels for one person, are doubtful', () => {
  const seen = version(['A', 0, 10], ['B', 0, 10], ['C', 50, 60]);
  const merged = version(['X', 0, 10, 'new'], ['Y', 50, 60, 'new']);
  expect(resolve(seen, { A: 1, B: 2, C: 3 }, merged)).toEqual([doubtful('X'), doubtful('X'), certain('Y')]);
  expect(resolve(seen, { A: 1, B: 1 }, merged)).toEqual([certain('X'), certain('X')]);
  expect(resolve(version(['A', 0, 10]), { A: 1 }, version(['X', 0, 10], ['Y', 0, 10]))).toEqual([doubtful()]);
});

test('a label that another old speaker could have, too, gets no name, also if only one of them was named', () => {
  const seen = version(['A', 0, 100, 'one'], ['B', 0, 100, 'two']);
  expect(resolve(seen, { A: 1 }, version(['A', 0, 100, 'two.']))).toEqual([doubtful('A')]);
  const both = version(['A', 0, 10, 'yes'], ['B', 0, 10, 'yes'], ['C', 20, 30]);
  expect(resolve(both, { A: 1 }, version(['A', 0, 10, 'yes'], ['C', 20, 30]))).toEqual([doubtful('A')]);
});

test('no speaker is likely if several share more than half of the time', () => {
  const seen = version(['A', 0, 100, 'one'], ['B', 0, 100, 'two']);
  const memory = version(['B', 0, 100, 'two.'], ['A', 0, 100, 'one!']);
  expect(resolve(seen, { A: 1 }, memory)).toEqual([doubtful()]);
});

test('the very same words win over speaking time', () => {
  const first = version(['A', 0, 10, 'old']);
  const second = version(['B', 0, 10, 'new']);
  const names = [
    { said: saidOf(first).get('A') ?? '', person: 1, seen: first },
    { said: saidOf(second).get('B') ?? '', person: 2, seen: second },
  ];
  expect(resolveNames(names, second)).toEqual([doubtful('B'), certain('B')]);
  expect(
    resolveNames(
      names.map((name) => ({ ...name, person: 1 })),
      second,
    ),
  ).toEqual([certain('B'), certain('B')]);
});

test('a name does not stand at texts of another speaker, although the times say so', () => {
  const seen = version(
    ['A', 0, 20, 'a'],
    ['B', 20, 40, 'b'],
    ['A', 40, 41, 'yes'],
    ['B', 41, 42, 'yes'],
    ['A', 42, 43, 'yes'],
  );
  const moved = version(['X', 20, 40, 'a'], ['Y', 40, 60, 'b'], ['X', 60, 61, 'yes'], ['Y', 61, 62, 'yes']);
  expect(resolve(seen, { A: 1, B: 2 }, moved)).toEqual([doubtful(), doubtful('X')]);
  // Texts that several speakers say, and half of the time of the label, say nothing.
  const unclear = version(['X', 20, 30, 'a'], ['X', 30, 40, 'yes'], ['Y', 0, 20, 'new']);
  expect(resolve(seen, { A: 1, B: 2 }, unclear)).toEqual([certain('Y'), certain('X')]);
});

test('words that the mirror never had, and a version without words, are doubtful', () => {
  const seen = version(['', 0, 10]);
  expect(resolveNames([{ said: 'sha256-x', person: 1, seen: undefined }], seen)).toEqual([doubtful()]);
  expect(resolveNames([{ said: 'sha256-x', person: 1, seen }], version(['', 0, 10, 'new']))).toEqual([doubtful()]);
  expect(resolve(seen, { '': 1 }, { transcript: null })).toEqual([doubtful()]);
});

test('a segment counts at least a millisecond, and not at all without a readable start', () => {
  const instant = version(['A', 5, 5], ['B', 7, 6]);
  expect(resolve(instant, { A: 1, B: 2 }, version(['X', 5, 'late'], ['Y', 7, 7]))).toEqual([
    certain('X'),
    certain('Y'),
  ]);
  const unreadable = version(['A', 'soon', 10]);
  expect(resolve(unreadable, { A: 1 }, version(['A', 'soon', 11]))).toEqual([doubtful()]);
  expect(resolve(unreadable, { A: 1 }, version(['A', 0, 10]))).toEqual([doubtful()]);
});

test('overlapping segments of a label count once', () => {
  const seen = version(['A', 0, 10], ['A', 0, 10], ['A', 2, 5], ['A', 10, 16], ['B', 16, 20]);
  expect(resolve(seen, { A: 1 }, version(['X', 0, 12.8], ['Y', 12.8, 20]))).toEqual([certain('X')]);
  expect(resolve(seen, { A: 1 }, version(['X', 0, 12.799], ['Y', 12.799, 20]))).toEqual([doubtful('X')]);
});

test('labels that name properties of every object are labels like others', () => {
  const seen = version(['__proto__', 0, 10], ['', 10, 20]);
  expect(resolve(seen, JSON.parse('{"__proto__":1,"":2}'), version(['constructor', 0, 10], ['', 10, 21]))).toEqual([
    certain('constructor'),
    certain(''),
  ]);
});
