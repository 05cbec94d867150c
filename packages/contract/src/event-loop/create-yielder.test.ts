import { beforeEach, expect, test } from 'vitest';
import { createYielder } from './create-yielder.ts';

let clock = 0;
let turns: (() => void)[] = [];
let yielder: () => Promise<void> | undefined;

beforeEach(() => {
  clock = 0;
  turns = [];
  yielder = createYielder({ now: () => clock, macrotask: (run) => void turns.push(run), budgetMs: 20 });
});

async function microtasks() {
  for (let tick = 0; tick < 20; tick += 1) await undefined;
}

/** Runs what waits for the next turn, and the microtasks behind it. */
async function turn() {
  for (const run of turns.splice(0)) run();
  await microtasks();
}

/** A loop of rounds that each need some time. Returns in which order the loops did their rounds. */
async function run(name: string, rounds: number, cost: number, done: string[]) {
  for (let round = 0; round < rounds; round += 1) {
    clock += cost;
    done.push(name);
    await yielder();
  }
}

test('a loop within the budget gets no promise', () => {
  const answers = [0, 5, 10, 19.9].map((time) => {
    clock = time;
    return yielder();
  });

  expect(answers).toEqual([undefined, undefined, undefined, undefined]);
});

test('a loop beyond the budget continues in the next turn, and not in a microtask', async () => {
  const done: string[] = [];
  void run('a', 8, 10, done);
  await microtasks();

  expect(done).toHaveLength(3);
  await turn();
  expect(done).toHaveLength(5);
});

test('a turn that ended without a promise gives the next one the whole budget', async () => {
  expect(yielder()).toBeUndefined();
  await turn();
  clock = 1_000;

  expect(yielder()).toBeUndefined();
  clock = 1_019;
  expect(yielder()).toBeUndefined();
  clock = 1_020;
  expect(yielder()).toBeInstanceOf(Promise);
});

test('nothing is left to run once no loop calls', async () => {
  await turn();
  expect(turns).toEqual([]);

  await Promise.all([run('a', 1, 30, []), turn()]);
  await turn();
  expect(turns).toEqual([]);
});

test('a hundred loops share the budget of one turn', async () => {
  const done: string[] = [];
  const names = Array.from({ length: 100 }, (_, index) => String(index));
  for (const name of names) void run(name, 20, 5, done);
  await microtasks();
  const longest: number[] = [];
  while (turns.length > 0) {
    const before = clock;
    await turn();
    longest.push(clock - before);
  }

  expect(done).toHaveLength(2_000);
  expect(Math.max(...longest)).toBe(20);
});

test('loops that wait continue in their order, also beside a loop that never ends', async () => {
  const done: string[] = [];
  void run('endless', 1_000, 20, done);
  for (const name of ['a', 'b', 'c']) void run(name, 3, 20, done);
  done.length = 0;
  for (let count = 0; count < 9; count += 1) await turn();

  expect(done.join(' ')).toBe('endless a b c endless a b c endless');
});
