import type { RequestEndEvent } from '@memory-read/server/node';
import { expect, test } from 'vitest';
import { type EndedRequest, observeRequests } from './observe-requests.ts';

const ended: RequestEndEvent = {
  requestId: 'same',
  method: 'GET',
  path: '/v1/memories',
  status: 200,
  outcome: 'finished',
  elapsed: 1,
  clientAddress: '127.0.0.1',
  bytesSent: 1,
};
const aborted: RequestEndEvent = { ...ended, status: null, outcome: 'aborted' };
const ada = { userId: 'ada', keyId: 'key_a', reason: null };
const none = { userId: null, keyId: null, reason: null };

function start() {
  const logged: EndedRequest[] = [];
  const { onFetch, onRequest, onEnd, settle } = observeRequests({
    operationOf: () => 'listMemories',
    log: (request) => logged.push(request),
    metrics: undefined,
  });
  const begin = () => {
    const request = new Request('http://a/v1/memories');
    const { promise, ...response } = Promise.withResolvers<unknown>();
    onFetch?.(request, promise);
    return { request, response };
  };
  return { logged, begin, onRequest, onEnd, settle };
}

test('an aborted request is logged with its account once its key has been checked', async () => {
  const { logged, begin, onRequest, onEnd, settle } = start();
  const first = begin();
  const second = begin();
  onEnd?.(aborted, first.request);
  onEnd?.(aborted, second.request);
  expect(logged).toEqual([]);
  onRequest?.(ada, first.request);
  first.response.resolve({});
  second.response.reject(new Error('down'));
  await settle();
  expect(logged).toMatchObject([
    { outcome: 'aborted', operation: 'listMemories', ...ada },
    { outcome: 'aborted', ...none },
  ]);
});

test('logs a request at once if no response is in flight', () => {
  const { logged, begin, onRequest, onEnd } = start();
  const { request } = begin();
  onRequest?.(ada, request);
  onEnd?.(ended, request);
  onEnd?.(aborted, request);
  onEnd?.(aborted, undefined);
  onEnd?.({ ...aborted, path: null }, new Request('http://a/'));
  expect(logged).toMatchObject([ada, ada, none, { ...none, operation: null }]);
});

test('stores nothing of a request without a log', () => {
  const counted: unknown[] = [];
  const count = (...event: unknown[]) => counted.push(event);
  const operationOf = () => 'listMemories';
  const { onFetch, onRequest, onEnd } = observeRequests({ operationOf, log: undefined, metrics: { count } });
  expect([onFetch, onRequest]).toEqual([undefined, undefined]);
  onEnd?.(ended);
  expect(counted).toEqual([['listMemories', ended]]);
  expect(observeRequests({ operationOf, log: undefined, metrics: undefined }).onEnd).toBeUndefined();
});
