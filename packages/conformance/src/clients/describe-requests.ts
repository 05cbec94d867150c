import type { WireRequest } from '@memory-read/msw/server';

const targets = { api: '', media: ' (storage)', elsewhere: ' (another origin)' } as const;

const mostLines = 20;

/** Returns the first requests as lines of evidence, without their queries. */
export function describeRequests(requests: readonly WireRequest[]): string[] {
  const rest = requests.length - mostLines;
  return [...requests.slice(0, mostLines).map(describeRequest), ...(rest > 0 ? [`and ${rest} more`] : [])];
}

function describeRequest({ elapsed, method, path, hasQuery, to, status, ended }: WireRequest): string {
  const target = `${path}${hasQuery ? '?…' : ''}${targets[to]}`;
  const outcome = { sent: '', fault: ', ended by a fault', aborted: ', not read to its end' };
  return `${Math.round(elapsed)} ms: ${method} ${target}, ${status ?? 'no status'}${ended ? outcome[ended] : ''}`;
}
