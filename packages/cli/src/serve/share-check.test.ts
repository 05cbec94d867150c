import { expect, onTestFinished, test, vi } from 'vitest';
import { shareCheck } from './share-check.ts';

test('callers at the same time share one check, and its success counts for a second', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const check = vi.fn(async () => {});
  const shared = shareCheck(check);
  const callMany = () => Promise.all(Array.from({ length: 100 }, shared));
  await callMany();
  await callMany();
  expect(check).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(999);
  await callMany();
  expect(check).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  await callMany();
  expect(check).toHaveBeenCalledTimes(2);
});

test('a failure reaches all callers that wait for it, and the next call checks again', async () => {
  const check = vi.fn(async () => {}).mockRejectedValueOnce(new Error('down'));
  const shared = shareCheck(check);
  expect((await Promise.allSettled([shared(), shared()])).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
  ]);
  expect(check).toHaveBeenCalledTimes(1);
  await shared();
  expect(check).toHaveBeenCalledTimes(2);
});

test('a check that does not end is not repeated', async () => {
  const check = vi.fn(() => new Promise<void>(() => {}));
  const shared = shareCheck(check);
  for (let call = 0; call < 10; call += 1) void shared();
  expect(check).toHaveBeenCalledTimes(1);
});
