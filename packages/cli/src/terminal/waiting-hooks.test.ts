import type { CallEvent, EndEvent } from '@memory-read/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TestProcess } from '../testing/test-process.ts';
import { waitingHooks } from './waiting-hooks.ts';

const call: CallEvent = { callId: '1', operation: 'listMemories', url: 'https://api.example.com', attempt: 1 };
const end: EndEvent = { ...call, elapsed: 0 };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('shows each second of the first call on a terminal, including retries, and removes the line', () => {
  const { hooks, output } = start();
  hooks.onRequest?.(call);
  vi.advanceTimersByTime(999);
  expect(output).toEqual([]);
  vi.advanceTimersByTime(1001);
  expect(output).toEqual([line(1), line(2)]);
  hooks.onRequest?.({ ...call, attempt: 2 });
  vi.advanceTimersByTime(1000);
  hooks.onEnd?.(end);
  expect(output.slice(2)).toEqual([line(3), '\r\x1b[K']);
  vi.advanceTimersByTime(60_000);
  hooks.onRequest?.({ ...call, callId: '2' });
  vi.advanceTimersByTime(60_000);
  expect(output).toHaveLength(4);
});

test('shows nothing for a response within a second', () => {
  const { hooks, output } = start();
  hooks.onRequest?.(call);
  vi.advanceTimersByTime(900);
  hooks.onEnd?.(end);
  vi.advanceTimersByTime(60_000);
  expect(output).toEqual([]);
});

test.each([
  ['without a terminal', false, 'xterm'],
  ['on a terminal without escape sequences', true, 'dumb'],
])('writes a plain line after 30 seconds %s', (_, isTTY, term) => {
  const { hooks, output } = start({ isTTY, TERM: term });
  hooks.onRequest?.(call);
  vi.advanceTimersByTime(29_999);
  expect(output).toEqual([]);
  vi.advanceTimersByTime(1);
  hooks.onEnd?.(end);
  expect(output).toEqual(['Waiting for an answer from https://api.example.com … 30 s\n']);
});

test('shows nothing with --quiet', () => {
  expect(start({ quiet: true }).hooks).toEqual({});
});

function line(seconds: number): string {
  return `\r\x1b[KWaiting for an answer from https://api.example.com … ${seconds} s`;
}

function start({ isTTY = true, TERM = 'xterm', quiet = false } = {}) {
  const process = new TestProcess({ env: { TERM } });
  Object.assign(process.stderr, { isTTY, columns: 80 });
  return { output: process.stderr.texts, hooks: waitingHooks('https://api.example.com', { process, quiet }) };
}
