import { expect, test } from 'vitest';
import { createProgressBar } from './create-progress-bar.ts';

test('tells share, rate and time left on one line, and takes it away', () => {
  const { stream, output, move } = terminal();
  const bar = createProgressBar({ stream, now: move, total: 1000 });
  move(2000);
  bar.update({ bytes: 250, items: 5000 });
  expect(output.pop()).toBe(`\r\x1b[K${'█'.repeat(6)}${'░'.repeat(18)}  25 % 5,000 memories, 2,500 a second, 6 s left`);
  bar.finish('storing …');
  expect(output.pop()).toBe('\r\x1b[Kstoring …');
  bar.clear();
  expect(output).toEqual(['\r\x1b[K']);
});

test('tells the rate alone where the size is unknown', () => {
  const { stream, output, move } = terminal();
  const bar = createProgressBar({ stream, now: move });
  move(1000);
  bar.update({ bytes: 0, items: 10 });
  expect(output).toEqual(['\r\x1b[K10 memories, 10 a second']);
});

test('draws ten times a second at most', () => {
  const { stream, output, move } = terminal();
  const bar = createProgressBar({ stream, now: move, total: 1000 });
  for (let update = 0; update < 10; update += 1) {
    move(50);
    bar.update({ bytes: 1, items: 1 });
  }
  expect(output).toHaveLength(5);
});

test('draws nothing where there is no terminal', () => {
  const { stream, output, move } = terminal();
  const bar = createProgressBar({ stream: { ...stream, isTTY: false }, now: move, total: 1000 });
  move(1000);
  bar.update({ bytes: 1, items: 1 });
  bar.finish('storing …');
  bar.clear();
  expect(output).toEqual([]);
});

function terminal() {
  const output: string[] = [];
  let time = 0;
  return {
    output,
    stream: { isTTY: true, write: (text: string) => output.push(text) > 0 },
    move: (milliseconds = 0) => (time += milliseconds),
  };
}
