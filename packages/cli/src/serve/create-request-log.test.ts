import { PostgresStoreError } from '@memory-read/server/postgres';
import { expect, test } from 'vitest';
import { TestProcess } from '../testing/test-process.ts';
import { createRequestLog } from './create-request-log.ts';
import type { LogFormat } from './log-format.ts';

const cause = Object.assign(new Error('canceling statement due to lock timeout'), {
  code: '55P03',
  detail: 'a row with its texts',
});
const explained = new PostgresStoreError('timeout', 'Failed to use db: it is locked. Try again.', { cause });

test('a failure that the store explains is logged without a stack and without fields of the driver', () => {
  expect(logOf(explained)).toEqual([
    'Failed to answer request req_1 (getMemory): Failed to use db: it is locked. Try again. Cause: canceling statement due to lock timeout',
  ]);
});

test('any other failure of a request is logged with its stack', () => {
  expect(logOf(new TypeError('x is not a function')).join('\n')).toMatch(
    /^Failed to answer request req_1 \(getMemory\): TypeError: x is not a function\n {4}at /,
  );
});

test('pretty puts the time before each line', () => {
  const { log, lines } = openLog('pretty');
  log.note('primary', {}, 'The primary can be reached again.');
  log.onError(explained);
  expect(lines).toEqual([
    '00:00:00.000 The primary can be reached again.',
    expect.stringMatching(/^00:00:00\.000 Failed to answer request unknown: /),
  ]);
});

function logOf(error: Error): string[] {
  const { log, lines } = openLog('none');
  log.onError(error, { requestId: 'req_1', operation: 'getMemory' });
  return lines;
}

function openLog(format: LogFormat) {
  const lines: string[] = [];
  const writeLine = (line: string) => void lines.push(line);
  return { lines, log: createRequestLog({ process: new TestProcess(), format, writeLine, now: () => new Date(0) }) };
}
