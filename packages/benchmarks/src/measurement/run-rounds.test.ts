import { expect, test } from 'vitest';
import { runRounds } from './run-rounds.ts';

test('every second round runs backwards, each two begin with another contender, and the first does not count', async () => {
  const order: string[] = [];
  let cost = 0;
  const contender = (name: string) => () => {
    order.push(name);
    cost += 1;
    return cost;
  };
  const rounds = await runRounds(2, { a: contender('a'), b: contender('b') });
  expect(order).toEqual(['a', 'b', 'b', 'a', 'b', 'a']);
  expect(rounds).toEqual({ a: [4, 6], b: [3, 5] });
});
