import type { AnyMemoryApiError } from '@memory-read/client';

/** What the caller of the worker learns of an error. */
export interface Problem {
  status: number;
  detail: string;
  retryAfterSeconds?: number | undefined;
}

/** An answer in the worker's own words: the error's message is for its log. */
export function problemOf(error: AnyMemoryApiError): Problem {
  switch (error.code) {
    case 'not_found':
      return { status: 404, detail: 'Memory not found' };
    case 'media_unavailable':
      return { status: 404, detail: 'The memory has no audio' };
    case 'configuration':
    case 'invalid_request':
      return { status: 422, detail: 'The id cannot be used' };
    case 'timeout':
      return { status: 504, detail: 'The memories took too long' };
    case 'rate_limited':
    case 'server':
      return {
        status: 503,
        detail: 'The memories cannot be read now',
        retryAfterSeconds: Math.ceil((error.retryAfterMs ?? 60_000) / 1000),
      };
    default:
      // An invalid API key is a fault of this worker too, not of its caller.
      return { status: 502, detail: 'The memories cannot be read' };
  }
}
