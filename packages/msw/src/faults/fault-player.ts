import type { RequestTarget } from '../request-log/request-target.ts';
import { damagedAnswer } from './damaged-answer.ts';
import type { Fault } from './fault.ts';
import { statusAnswer } from './status-answer.ts';
import { withoutHeaders } from './without-headers.ts';

/** The request that a fault affects. */
export interface PlayedRequest {
  request: Request;
  operation: RequestTarget['operation'];
  /** Returns the server's response to the request, or to a changed one. */
  answer: (request: Request) => Promise<Response>;
}

/** Plays faults. */
export interface FaultPlayer {
  /** Returns the response with the fault; undefined if no response follows. */
  play(fault: Fault, played: PlayedRequest): Promise<Response | undefined>;
  /** Ends all stalls and delays without a response. */
  reset(): void;
}

export function createFaultPlayer(): FaultPlayer {
  const waiting = new Set<AbortController>();
  return {
    async play(fault, played) {
      const { signal } = played.request;
      if (signal.aborted) return undefined;
      const ending = new AbortController();
      // AbortSignal.any refuses signals of another realm, such as those of jsdom.
      const end = () => ending.abort();
      signal.addEventListener('abort', end, { once: true });
      waiting.add(ending);
      try {
        return await playFault(fault, played, ending.signal);
      } finally {
        signal.removeEventListener('abort', end);
        waiting.delete(ending);
      }
    },
    reset() {
      for (const ending of waiting) ending.abort();
    },
  };
}

async function playFault(fault: Fault, played: PlayedRequest, signal: AbortSignal): Promise<Response | undefined> {
  const { request, operation, answer } = played;
  if (fault === 'network-error') return undefined;
  if (fault === 'stall') return aborted(signal);
  if (fault === 'cut') return answer(request);
  if (fault === 'no-ranges') return withoutRanges(played);
  if (typeof fault === 'string') return damagedAnswer(fault, await answer(request));
  if (fault.delay !== undefined) return (await waitUnlessAborted(fault.delay, signal)) ? answer(request) : undefined;
  return statusAnswer(fault, { operation, answer: await answer(request) });
}

/** Returns the response of a storage that ignores ranges. */
async function withoutRanges({ request: { url, method, headers }, answer }: PlayedRequest): Promise<Response> {
  const whole = await answer(new Request(url, { method, headers: withoutHeaders(headers, ['range', 'if-range']) }));
  return new Response(whole.body, { status: whole.status, headers: withoutHeaders(whole.headers, ['accept-ranges']) });
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

/** Returns false if the request was aborted. */
function waitUnlessAborted(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abandon);
      resolve(true);
    }, milliseconds);
    function abandon() {
      clearTimeout(timer);
      resolve(false);
    }
    signal.addEventListener('abort', abandon, { once: true });
  });
}
