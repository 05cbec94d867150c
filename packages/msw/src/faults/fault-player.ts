import type { MockClock } from '../mock-clock.ts';
import type { RequestTarget } from '../request-log/request-target.ts';
import type { RawFault, ServerFault } from '../server/faults/wire-fault.ts';
import { hasNoBody } from './assert-fault.ts';
import { answerWithFields, damagedAnswer } from './damaged-answer.ts';
import type { Fault } from './fault.ts';
import { statusAnswer } from './status-answer.ts';
import { withoutHeaders } from './without-headers.ts';

/** The request that a fault affects. */
export interface PlayedRequest {
  request: Request;
  operation: RequestTarget['operation'];
  /** Returns the server's response to the request, or to a changed one. With `changed`, the storage has another object. */
  answer: (request: Request, object?: 'changed') => Promise<Response>;
  /** Another origin, which only a mock server has. */
  elsewhereUrl?: string;
}

/** A fault that changes the response, or every one of a mock that is not a server. */
type PlayedFault = Fault | Exclude<ServerFault, RawFault>;

/** Plays faults. */
export interface FaultPlayer {
  /** Returns the response with the fault; undefined if no response follows. */
  play(fault: PlayedFault, played: PlayedRequest): Promise<Response | undefined>;
  /** Ends all stalls and delays without a response. */
  reset(): void;
}

export function createFaultPlayer(clock: Pick<MockClock, 'now'>): FaultPlayer {
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
        return await playFault(fault, played, { signal: ending.signal, now: clock.now });
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

interface Playing {
  signal: AbortSignal;
  now: () => Date;
}

async function playFault(fault: PlayedFault, played: PlayedRequest, playing: Playing): Promise<Response | undefined> {
  const { request, operation, answer } = played;
  const { signal } = playing;
  if (fault === 'network-error') return undefined;
  if (fault === 'stall') return aborted(signal);
  if (fault === 'cut') return answer(request);
  if (fault === 'no-ranges') return withoutRanges(played);
  if (fault === 'changed-object') return answer(request, 'changed');
  if (fault === 'foreign-range') return answer(changedRequest(request, ['if-range']), 'changed');
  if (fault === 'wrong-range') return withWrongRange(played);
  if (typeof fault === 'string') return damagedAnswer(fault, await answer(request));
  if ('redirect' in fault) return redirect(fault, played);
  if ('respond' in fault) return ownResponse(fault.respond);
  if ('fields' in fault) return answerWithFields(fault.fields, await answer(request));
  if (fault.delay !== undefined) return (await waitUnlessAborted(fault.delay, signal)) ? answer(request) : undefined;
  return statusAnswer(fault, { operation, answer: await answer(request), now: playing.now() });
}

/** Returns the response of a storage that ignores ranges. */
async function withoutRanges({ request, answer }: PlayedRequest): Promise<Response> {
  const whole = await answer(changedRequest(request, ['range', 'if-range']));
  return new Response(whole.body, { status: whole.status, headers: withoutHeaders(whole.headers, ['accept-ranges']) });
}

/** Returns the part of the object that begins one byte before the requested one, or after it. */
async function withWrongRange({ request, answer }: PlayedRequest): Promise<Response> {
  const right = await answer(request);
  const [, start, end] = /^bytes (\d+)-(\d+)/.exec(right.headers.get('content-range') ?? '') ?? [];
  if (right.status !== 206 || start === undefined) return right;
  await right.body?.cancel();
  const wrong = Number(start) === 0 ? 1 : Number(start) - 1;
  return answer(changedRequest(request, ['range'], { range: `bytes=${wrong}-${Math.max(wrong, Number(end))}` }));
}

function changedRequest({ url, method, headers }: Request, without: readonly string[], others = {}): Request {
  return new Request(url, { method, headers: { ...withoutHeaders(headers, without), ...others } });
}

function redirect(
  { redirect: status, to = 'elsewhere' }: Redirect,
  { request, elsewhereUrl }: PlayedRequest,
): Response {
  const { pathname, search } = new URL(request.url);
  // The query of a signed URL is a secret.
  const addresses: Record<string, string> = { self: pathname + search, elsewhere: `${elsewhereUrl}${pathname}` };
  const location = Object.hasOwn(addresses, to) ? addresses[to] : to;
  return new Response(null, { status, headers: { location: String(location), 'content-length': '0' } });
}

/** Encodes the text, because a text would add a content type. */
function ownResponse({ status = 200, headers = {}, body = '' }: Respond['respond']): Response {
  return new Response(hasNoBody(status) ? null : new TextEncoder().encode(body), { status, headers });
}

type Redirect = Extract<PlayedFault, { redirect: unknown }>;
type Respond = Extract<PlayedFault, { respond: unknown }>;

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
