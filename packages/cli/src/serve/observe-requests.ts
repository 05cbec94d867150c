import type { MediaRefusalEvent, MemoryApiRequestEvent } from '@memory-read/server';
import type { RequestEndEvent } from '@memory-read/server/node';
import type { Metrics } from './open-metrics.ts';

interface Caller extends Pick<MemoryApiRequestEvent, 'userId' | 'keyId'> {
  /** Reason why the key or the media URL was refused. */
  reason: MemoryApiRequestEvent['reason'] | MediaRefusalEvent['reason'];
}

/** A request whose response has ended, with its operation, and the known data of its key. */
export interface EndedRequest extends RequestEndEvent, Caller {
  operation: string | null;
}

/** Joins what the API reports of a request with the end of its response. */
export interface RequestObservation {
  /** Receives each request with the promise of its response. */
  onFetch: ((request: Request, response: Promise<unknown>) => void) | undefined;
  onRequest: ((event: Caller, request: Request) => void) | undefined;
  /** Receives each request for media whose URL is refused. */
  onRefuse: ((event: Pick<Caller, 'reason'>, request: Request) => void) | undefined;
  onEnd: ((event: RequestEndEvent, request?: Request) => void) | undefined;
  /** Resolves after all ended requests are logged, or after one second. */
  settle(): Promise<void>;
}

interface ObservationOptions {
  /** Returns the operation of a path. */
  operationOf: (path: string) => string | null;
  /** Undefined if requests are not logged. */
  log: ((request: EndedRequest) => void) | undefined;
  metrics: Pick<Metrics, 'count'> | undefined;
}

const settleTimeoutMs = 1_000;
const unknown: Caller = { userId: null, keyId: null, reason: null };

/** Requests are found by their identity, because callers choose and repeat `X-Request-Id`. */
export function observeRequests({ operationOf, log, metrics }: ObservationOptions): RequestObservation {
  const inFlight = new WeakMap<Request, { response?: Promise<unknown>; caller?: Caller }>();
  const waiting = new Set<Promise<void>>();
  const nameOf = ({ path }: RequestEndEvent) => (path === null ? null : operationOf(path));
  const settle = async () => {
    const timeout = new Promise((resolve) => setTimeout(resolve, settleTimeoutMs).unref());
    await Promise.race([Promise.all(waiting), timeout]);
  };
  if (log === undefined) {
    const onEnd = metrics && ((event: RequestEndEvent) => metrics.count(nameOf(event), event));
    return { onFetch: undefined, onRequest: undefined, onRefuse: undefined, onEnd, settle };
  }

  // The media host refuses a URL before its promise is known.
  const note = (request: Request, facts: { response: Promise<unknown> } | { caller: Caller }) =>
    void inFlight.set(request, Object.assign(inFlight.get(request) ?? {}, facts));
  return {
    onFetch: (request, response) => note(request, { response }),
    onRequest: ({ userId, keyId, reason }, request) => note(request, { caller: { userId, keyId, reason } }),
    onRefuse: ({ reason }, request) => note(request, { caller: { ...unknown, reason } }),
    onEnd(event, request) {
      const operation = nameOf(event);
      metrics?.count(operation, event);
      const found = request && inFlight.get(request);
      const write = () => log({ ...event, ...(found?.caller ?? unknown), operation });
      if (event.outcome !== 'aborted' || found?.response === undefined || found.caller) return write();
      // The caller has disconnected, but its key may still be checked.
      const written = found.response.then(write, write).finally(() => waiting.delete(written));
      waiting.add(written);
    },
    settle,
  };
}
