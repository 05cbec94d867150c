import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from 'vitest';
import { bindCallerContext } from './caller-context.ts';
import { rejection } from './testing/rejection.ts';

const caller = new AsyncLocalStorage<string>();

test('each call runs in the context in which the function was made', async () => {
  const tell = async (word: string) => `${word} ${caller.getStore()}`;
  const tellAsAda = caller.run('Ada', () => bindCallerContext(tell));
  const told = await caller.run('Grace', () => Promise.all([tellAsAda('one'), tellAsAda('two')]));
  expect(told).toEqual(['one Ada', 'two Ada']);
  expect(await tellAsAda('three')).toBe('three Ada');
  expect(await caller.run('Grace', () => tell('four'))).toBe('four Grace');
});

test('a call may call again', async () => {
  const count: (depth: number) => Promise<unknown> = bindCallerContext(async (depth: number) =>
    depth > 0 ? count(depth - 1) : 'done',
  );
  expect(await count(3)).toBe('done');
});

test('a rejection is that of the call, and the next call runs all the same', async () => {
  const run = bindCallerContext(async (error?: Error) => {
    if (error) throw error;
    return 'done';
  });
  const failure = new Error('No.');
  expect(await rejection(run(failure))).toBe(failure);
  expect(await run()).toBe('done');
});
