import { afterEach, expect, test, vi } from 'vitest';
import { TestProcess } from '../testing/test-process.ts';
import { createProgress } from './create-progress.ts';

afterEach(() => void vi.useRealTimers());

test('shows percentage, rate and remaining time on one line, and removes it', () => {
  const { progress, output, move } = start();
  progress.update({ text: '0 memories', count: 0, share: 0 });
  move(2000);
  progress.update({ text: '5,000 memories', count: 5000, share: 0.25 });
  expect(output.pop()).toBe(`\r\x1b[K${'█'.repeat(6)}${'░'.repeat(18)}  25 %  5,000 memories, 2500/s, 6 s left`);
  progress.finish('storing …');
  expect(output.pop()).toBe('\r\x1b[Kstoring …');
  progress.clear();
  progress.clear();
  expect(output).toEqual(['\r\x1b[K']);
});

test.each([
  ['bytes of an earlier run count only for the percentage', [0.8, 0.9], 10_000, 100, / 90 % {2}x, 10\/s, 10 s left$/],
  ['seconds', [0, 0.5], 30_000, 1, /, 30 s left$/],
  ['minutes', [0, 0.01], 30_000, 1, /, 50 min left$/],
  ['hours', [0, 0.001], 30_000, 1, /, 9 h left$/],
  ['only the rate, if the size is unknown', [undefined, undefined], 1_000, 10, /\[Kx, 10\/s$/],
] as const)('shows the remaining time: %s', (_, [before, share], milliseconds, count, line) => {
  const { progress, output, move } = start();
  progress.update({ text: '', count: 0, share: before });
  move(milliseconds);
  progress.update({ text: 'x', count, share });
  expect(output.pop()).toMatch(line);
});

test('draws at most ten times a second', () => {
  const { progress, output, move } = start();
  for (let update = 0; update < 10; update += 1) {
    move(50);
    progress.update({ text: 'x', count: update });
  }
  expect(output).toHaveLength(5);
});

test('draws a state once, even if its update comes before a timer that is late', () => {
  vi.useFakeTimers();
  const { progress, output, move } = start();
  move(99);
  progress.update({ text: '1 memory', count: 1 });
  move(1);
  progress.update({ text: '2 memories', count: 2 });
  vi.runAllTimers();
  expect(output).toEqual(['\r\x1b[K2 memories, 20/s']);
});

test('draws the last state, even if none follows it', () => {
  vi.useFakeTimers();
  const { progress, output, move } = start();
  move(99);
  progress.update({ text: '1 memory', count: 1 });
  progress.update({ text: '2 memories', count: 2 });
  expect(output).toEqual([]);
  move(1);
  vi.advanceTimersByTime(1);
  expect(output).toEqual(['\r\x1b[K2 memories, 20/s']);
  progress.update({ text: '3 memories', count: 3 });
  progress.clear();
  vi.runAllTimers();
  expect(output).toHaveLength(2);
});

test('fits the current width of the terminal, and text of others cannot move the cursor', () => {
  const { progress, output, move, stream } = start();
  move(1000);
  progress.update({ text: 'a\x1b[2J', count: 10 });
  expect(output.pop()).toBe('\r\x1b[Ka\\u001b[2J, 10/s');
  stream.columns = 8;
  move(1000);
  progress.update({ text: '10 memories', count: 10 });
  expect(output.pop()).toBe('\r\x1b[K10 mem…');
});

const mirroring = 'Mirroring 1,234 of 2,000 memories, 345 files, 1.2 GB';

test.each([
  [200, `${'█'.repeat(12)}${'░'.repeat(12)}  50 %  ${mirroring}, 617/s, 2 s left`],
  [88, `${'█'.repeat(5)}${'░'.repeat(5)}  50 %  ${mirroring}, 617/s, 2 s left`],
  [80, `50 % ${mirroring}, 617/s, 2 s left`],
  [70, `50 % ${mirroring}, 2 s left`],
  [60, `50 % ${mirroring}`],
  [40, '50 % Mirroring 1,234 of 2,000 memories…'],
])('in %d columns, the counts and the remaining time have room before the bar and the rate', (columns, line) => {
  const { progress, output, move, stream } = start();
  stream.columns = columns;
  progress.update({ text: '', count: 0, share: 0 });
  move(2000);
  progress.update({ text: mirroring, count: 1234, share: 0.5 });
  expect(output.pop()).toBe(`\r\x1b[K${line}`);
});

test('prints other output above the line, which stays', async () => {
  const { progress, output, move } = start();
  move(1000);
  progress.update({ text: '10 memories', count: 10 });
  await progress.printAbove(() => void output.push('a warning\n'));
  expect(output.join('')).toBe('\r\x1b[K10 memories, 10/s\r\x1b[Ka warning\n\r\x1b[K10 memories, 10/s');
  progress.clear();
  output.length = 0;
  await progress.printAbove(() => void output.push('the end\n'));
  expect(output).toEqual(['the end\n']);
});

test('writes a plain line every five seconds on a terminal without escape sequences', async () => {
  const { progress, output, move } = start({ TERM: 'dumb' });
  for (let second = 0; second < 11; second += 1) {
    move(1000);
    progress.update({ text: `${second} memories`, count: second });
  }
  await progress.printAbove(() => {});
  progress.finish('storing …');
  progress.clear();
  expect(output).toEqual(['4 memories, 1/s\n', '9 memories, 1/s\n']);
});

test('writes a plain line twice a minute without a terminal', () => {
  const { progress, output, move } = start({ isTTY: false });
  for (let second = 0; second < 65; second += 1) {
    move(1000);
    progress.update({ text: `${second} memories`, count: second, share: second / 100 });
  }
  progress.finish('storing …');
  progress.clear();
  expect(output).toEqual(['29 % 29 memories, 1/s, 2 min left\n', '59 % 59 memories, 1/s, 42 s left\n']);
});

test.each([true, false])('shows nothing with --quiet, with or without a terminal', (isTTY) => {
  const { progress, output, move } = start({ isTTY, quiet: true });
  move(60_000);
  progress.update({ text: 'x', count: 1, share: 0.5 });
  progress.finish('storing …');
  progress.clear();
  expect(output).toEqual([]);
});

function start({ isTTY = true, TERM = 'xterm-256color', quiet = false } = {}) {
  const process = new TestProcess({ env: { TERM } });
  const stream = Object.assign(process.stderr, { isTTY, columns: 80 });
  let time = 0;
  const formatRate = (rate: number) => `${Math.round(rate)}/s`;
  const progress = createProgress({ process, quiet, now: () => time, formatRate });
  return { progress, output: stream.texts, stream, move: (milliseconds: number) => (time += milliseconds) };
}
