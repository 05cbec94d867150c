import { expect, test } from 'vitest';
import { failurePause, type Pace, paceAfter, pollPause } from './poll-pause.ts';

const range = { shortest: 10_000, longest: 300_000 };
const [minute, hour] = [60_000, 3_600_000];

/** Polls from 0 until a time, and returns the times of the polls. */
function poll(until: number, processingAt: (now: number) => number): number[] {
  const polls: number[] = [];
  let pace: Pace | undefined;
  let before: number | undefined;
  for (let now = 0; now <= until; ) {
    polls.push(now);
    const processing = processingAt(now);
    pace = paceAfter(pace, { now, processing, hasChanged: before !== undefined && before !== processing });
    before = processing;
    now += pollPause(pace, now, range);
  }
  return polls;
}

test.each([
  ['quiet', () => 0],
  ['with a memory that is never processed', () => 1],
])('an account that is %s costs at most 340 requests a day after the first hour', (_title, processingAt) => {
  const polls = poll(26 * hour, processingAt).filter((at) => at >= 2 * hour);
  expect(polls.length).toBeLessThanOrEqual(340);
  expect(polls.length).toBeGreaterThanOrEqual(280);
});

test('the end of processing is found within 15 s, also beside a memory that is never processed', () => {
  const [start, end] = [10 * hour, 10 * hour + 12 * minute];
  const polls = poll(12 * hour, (now) => (now >= start && now < end ? 2 : 1));
  expect((polls.find((at) => at >= start) ?? 0) - start).toBeLessThanOrEqual(range.longest);
  expect((polls.find((at) => at >= end) ?? 0) - end).toBeLessThanOrEqual(15_000);
  expect(polls.filter((at) => at >= 11 * hour + 20 * minute).length).toBeLessThan(20);
});

test('the pause stays within the range', () => {
  const pace = { changedAt: 0, processing: 0, stuck: 0, raisedAt: 0 };
  expect([0, 99_000, 200_000, hour].map((now) => pollPause(pace, now, range))).toEqual([
    10_000, 10_000, 20_000, 300_000,
  ]);
  // The clock was set back.
  expect(pollPause({ ...pace, changedAt: hour }, 0, range)).toBe(10_000);
});

test.each([
  ['30 s', undefined, range, 30_000],
  ['the longest interval, if that is shorter', undefined, { shortest: 50, longest: 5_000 }, 5_000],
  ['no less than that, if the server asks for a second', 1_000, range, 30_000],
  ['what the server asks for', 90_000, range, 90_000],
  ['a day, if the server asks for more than a timer can wait', Number.MAX_SAFE_INTEGER, range, 24 * hour],
])('the pause after a failed poll is %s', (_title, retryAfterMs, { shortest, longest }, expected) => {
  const error = Object.assign(new Error('503'), { retryAfterMs });
  expect(failurePause(error, { shortest, longest })).toBe(expected);
});
