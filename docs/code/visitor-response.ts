import { isMemoryApiError, isTransient, MemoryClient } from '@memory-read/client';

export const client = new MemoryClient();

/** Returns what the visitor gets. A wrong key or address of the backend is not the visitor's 401 or 404. */
export function responseFor(error: unknown) {
  if (!isMemoryApiError(error)) throw error;
  console.error(error.message); // for your log
  if (error.code === 'not_found') return { status: 404, headers: {}, body: { detail: 'No such memory.' } } as const;
  if (!isTransient(error)) return { status: 502, headers: {}, body: { detail: 'Contact the support.' } } as const;
  const pause = (error.code === 'rate_limited' || error.code === 'server' ? error.retryAfterMs : undefined) ?? 60_000;
  const headers = { 'retry-after': `${Math.ceil(pause / 1000)}` };
  return { status: 503, headers, body: { detail: 'Try again later.' } } as const;
}
