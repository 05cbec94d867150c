import type { Step } from '@memory-read/msw/server';
import { ends, type Fault } from '../fault.ts';
import { head, json } from '../http-text.ts';

/** Milliseconds: shorter than the aborted backoff, and long enough for a busy machine. */
const within = 2_000;
const aLongWait = json(503, {}, { 'retry-after': '60' });
const openBody = head(200, { 'content-length': '90000' });

/** The caller aborts: the call rejects at once with the reason of the signal, without a retry. */
export const aborts: readonly Fault[] = [
  aborted('before the call', { at: 'start' }, ['stall']),
  aborted('while the request is sent', { at: 'request' }, ['stall']),
  {
    name: 'the caller aborts while the connection is opened',
    place: { scheme: 'https' },
    onConnect: ['stall'],
    abort: { at: 'request', after: 30 },
    expected: ends('abort', 1, { within }),
  },
  aborted('while no response arrives', { at: 'request', after: 30 }, ['stall']),
  aborted('during the headers', { at: 'request', after: 30 }, ['HTTP/1.1 200 OK\r\ncontent-', 'stall']),
  aborted('when the headers arrive', { at: 'response' }, [openBody, 'stall']),
  aborted('during the body', { at: 'response', after: 30 }, [openBody, '[', 'stall']),
  aborted('during the body of an error', { at: 'response', after: 30 }, [
    head(500, { 'content-length': '9' }),
    'stall',
  ]),
  aborted('while a body drips', { at: 'response', after: 30 }, [openBody, { drip: ' ', every: 5 }]),
  aborted('when the backoff begins', { at: 'retry' }, [aLongWait]),
  aborted('during the backoff', { at: 'retry', after: 30 }, [aLongWait]),
];

function aborted(when: string, abort: NonNullable<Fault['abort']>, steps: readonly Step[]): Fault {
  // Without retries, the test shows that the attempt itself notices the abort.
  const options = abort.at === 'retry' ? {} : { retries: 0 };
  const expected = ends('abort', abort.at === 'start' ? 0 : 1, { within });
  return { name: `the caller aborts ${when}`, answers: [steps], abort, options, expected };
}
