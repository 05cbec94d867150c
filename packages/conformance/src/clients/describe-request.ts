import type { WireRequest } from '@memory-read/msw/server';

const targets = { api: '', media: ' (storage)', elsewhere: ' (another origin)' } as const;

/** Returns a request as a line of evidence, without its query. */
export function describeRequest({ elapsed, method, path, hasQuery, to, status, ended }: WireRequest): string {
  const target = `${path}${hasQuery ? '?…' : ''}${targets[to]}`;
  const outcome = { sent: '', fault: ', ended by a fault', aborted: ', left by the command' };
  return `${Math.round(elapsed)} ms: ${method} ${target}, ${status ?? 'no status'}${ended ? outcome[ended] : ''}`;
}
