import type { MemoryClientOptions } from '../index.ts';
import { json, type StubAnswer, stubClient } from './stub-fetch.ts';

export const notFound = () => json({ detail: 'Memory not found' }, { status: 404 });
export const unauthorized = () => json({ detail: 'Invalid API key' }, { status: 401 });
export const serverError = () => json({ detail: 'Internal server error' }, { status: 500 });
export const tooMany = (seconds: number | string) =>
  json({ detail: 'Slow down' }, { status: 429, headers: { 'retry-after': String(seconds) } });

/**
 * Returns a client of an API whose responses are created for each request: `list` for the list, else the id.
 *
 * `requests` holds each request with the milliseconds since the start.
 */
export function polledApi(answer: (target: string) => StubAnswer, options: MemoryClientOptions = {}) {
  const requests: [target: string, elapsed: number][] = [];
  const signals: AbortSignal[] = [];
  const startedAt = performance.now();
  const { client } = stubClient(async (request) => {
    const target = /\/v1\/memories\/(.+)$/.exec(request.url)?.[1] ?? 'list';
    requests.push([target, Math.round(performance.now() - startedAt)]);
    signals.push(request.signal);
    const answered = answer(target);
    if (answered instanceof Error) throw answered;
    return typeof answered === 'function' ? answered(request) : answered;
  }, options);
  return { client, requests, signals };
}
