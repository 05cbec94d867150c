import { expect, test } from 'vitest';
import { afterAccepted, afterFailure, DAY, storedTime } from './delivery-rules.ts';
import { type DeliveryRow, type Sink, untriedRow } from './sink-rows.ts';

const now = 1_000_000;
const settings = { maxTries: 3, firstRetry: 1_000, longestRetry: 300_000 };
const sink: Sink = {
  ...{ sinkKey: 1, name: 'default', position: 8, accepted: 5, acceptedAt: 1 },
  ...{ failures: 0, failedPosition: null, nextTry: 0, isStopped: false },
};
const untried = untriedRow({ position: 6, memoryKey: 2 });
const tried: DeliveryRow = { ...untried, attempts: 1, firstAccepted: 5, lastAccepted: 5 };
const failure = { action: 'retry', retryAfter: undefined, error: 'No.' } as const;
const fail = (
  change: { sink?: Partial<Sink>; row?: DeliveryRow; othersFail?: boolean | undefined; failure?: object },
  options = settings,
) =>
  afterFailure(
    { sink: { ...sink, ...change.sink }, row: change.row ?? untried, othersFail: change.othersFail ?? false, now },
    { ...failure, ...change.failure },
    options,
  );

test('a next try that is more than a day ahead has come', () => {
  expect([now - 1, now + DAY, now + DAY + 1].map((time) => storedTime(time, now))).toEqual([now - 1, now + DAY, now]);
});

test('an accepted try ends the failures of a sink and its pause', () => {
  const failing = { ...sink, failures: 4, failedPosition: 6, nextTry: now + DAY };
  expect(afterAccepted(failing, now)).toEqual({ ...sink, accepted: 6, acceptedAt: now });
});

test('the first failed try sets the event aside and pauses the sink', () => {
  const times = { firstAccepted: 5, lastAccepted: 5, failedAt: now, nextTry: now + 1_000 };
  expect(fail({})).toEqual({
    sink: { ...sink, failures: 1, failedPosition: 6, nextTry: now + 1_000 },
    row: { ...untried, ...times, attempts: 1, error: 'No.' },
  });
});

test.each([
  { tries: 1, row: 1_000, sink: 1_000 },
  { tries: 2, row: 2_000, sink: 2_000 },
  { tries: 6, row: 32_000, sink: 32_000 },
  { tries: 7, row: 64_000, sink: 60_000 },
  { tries: 10, row: 300_000, sink: 60_000 },
  { tries: 2_000, row: 300_000, sink: 60_000 },
])('try $tries pauses the event for $row ms, and the sink for $sink ms', ({ tries, ...pauses }) => {
  const ofRow = fail({ row: { ...tried, attempts: tries - 1 } });
  const ofSink = fail({ sink: { failures: tries - 1 } });
  expect([ofRow.row.nextTry, ofRow.sink.nextTry]).toEqual([now + pauses.row, now + 1_000]);
  expect([ofSink.row.nextTry, ofSink.sink.nextTry]).toEqual([now + 1_000, now + pauses.sink]);
});

test.each([
  [0, 1_000],
  [90_000, 90_000],
  [DAY + 1, DAY],
])('a Retry-After of %d ms pauses event and sink for %d ms', (retryAfter, pause) => {
  const after = fail({ sink: { failures: 9 }, row: { ...tried, attempts: 9 }, failure: { retryAfter } });
  expect([after.row.nextTry, after.sink.nextTry]).toEqual([now + pause, now + pause]);
});

// The receiver has accepted 5 events.
test.each([
  { action: 'retry', attempts: 0, first: 0, last: 0, counts: false },
  { action: 'unavailable', attempts: 0, first: 0, last: 0, counts: false },
  { action: 'retry', attempts: 2, first: 5, last: 5, counts: false },
  { action: 'retry', attempts: 2, first: 4, last: 5, counts: true },
  { action: 'retry', attempts: 2, first: 4, last: 5, othersFail: true, counts: false },
  { action: 'unavailable', attempts: 2, first: 4, last: 5, counts: false },
  { action: 'unavailable', attempts: 2, first: 4, last: 4, othersFail: true, counts: true },
  { action: 'unavailable', attempts: 2, first: 4, last: 4, counts: true },
  { action: 'stop', attempts: 2, first: 4, last: 4, counts: false },
])('$action after $attempts tries, with $first and $last accepted, and others failing: $othersFail', (example) => {
  const { action, attempts, first, last, othersFail, counts } = example;
  const before = { ...untried, attempts, firstAccepted: first, lastAccepted: last, isAtFault: !counts };
  const { row } = fail({ row: before, othersFail, failure: { action } });
  expect(row).toMatchObject({ counted: Number(counts), isAtFault: counts, isParked: false, attempts: attempts + 1 });
  expect([row.firstAccepted, row.lastAccepted]).toEqual([attempts === 0 ? 5 : first, 5]);
});

test('the last of the tries that count parks an event, and park does at once', () => {
  const row = { ...tried, firstAccepted: 4, counted: 1 };
  expect(fail({ row }).row).toMatchObject({ counted: 2, isParked: false });
  expect(fail({ row: { ...row, counted: 2 } }).row).toMatchObject({ counted: 3, isParked: true });
  expect(fail({ failure: { action: 'park' } })).toMatchObject({ sink: { isStopped: false }, row: { isParked: true } });
  expect(fail({ failure: { action: 'stop' } })).toMatchObject({ sink: { isStopped: true }, row: { isParked: false } });
});
