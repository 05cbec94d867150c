import { PostgresStoreError } from '@memory-read/server/postgres';
import { expect, test } from 'vitest';
import { TestProcess } from '../testing/test-process.ts';
import { createRequestLog } from './create-request-log.ts';

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

function logOf(error: Error): string[] {
  const lines: string[] = [];
  const log = createRequestLog({
    process: new TestProcess(),
    format: 'none',
    writeLine: (line) => lines.push(line),
    now: () => new Date(0),
  });
  log.onError(error, { requestId: 'req_1', operation: 'getMemory' });
  return lines;
}
