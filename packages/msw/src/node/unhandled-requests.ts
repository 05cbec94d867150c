import type { RequestHandler } from 'msw';
import type { SetupServer } from 'msw/node';
import { evaluatePredicate } from '../checks/evaluate-predicate.ts';

/** Requests that no handler had an answer to, for what code under test catches never reaches the test. */
export interface UnhandledRequests {
  /** Whether the request may leave. A mistake in the function of the test is kept, and is no yes. */
  isAllowed(request: Request): boolean;
  add(request: Request): void;
  /** Listens to a server that others have started, and returns what ends that. */
  watch(server: Pick<SetupServer, 'events' | 'listHandlers'>): () => void;
  /** What is to be told of the requests since the last time. */
  take(): Promise<unknown[]>;
}

/** What is asked about a request. */
export interface UnhandledRequestsOptions {
  /** Given by the test: whether it may leave. */
  allow: (request: Request) => boolean;
  /** Whether the mock should have answered. */
  owns: (url: string) => boolean;
}

export function createUnhandledRequests({ allow, owns }: UnhandledRequestsOptions): UnhandledRequests {
  let unhandled: Request[] = [];
  let predicateErrors: unknown[] = [];
  const open = new Map<string, OpenRequest>();

  function isAllowed(request: Request): boolean {
    // What never is on a network: MSW 2 hands on data: URLs as well.
    if (!/^https?:/.test(request.url)) return true;
    try {
      return evaluatePredicate({ name: 'allowUnhandled', decide: allow }, request);
    } catch (error) {
      predicateErrors.push(error);
      return false;
    }
  }
  return {
    isAllowed,
    add: (request) => void unhandled.push(request),
    watch(server) {
      const listeners = {
        'request:start': ({ request, requestId }: RequestEvent) =>
          void open.set(requestId, { request, handlers: server.listHandlers() }),
        'request:unhandled': ({ request, requestId }: RequestEvent) => {
          open.delete(requestId);
          if (!isAllowed(request)) unhandled.push(request);
        },
        'request:end': ({ requestId }: RequestEvent) => void open.delete(requestId),
      };
      const names = Object.keys(listeners) as (keyof typeof listeners)[];
      for (const name of names) server.events.on(name, listeners[name]);
      return () => {
        for (const name of names) server.events.removeListener(name, listeners[name]);
      };
    },
    async take() {
      const left = [...open.values()];
      open.clear();
      const refused = (await unanswered(left)).filter((request) => !isAllowed(request));
      const requests = [...unhandled, ...refused];
      const errors = [...predicateErrors];
      unhandled = [];
      predicateErrors = [];
      const [lost, others] = [requests.filter(({ url }) => owns(url)), requests.filter(({ url }) => !owns(url))];
      if (lost.length > 0) errors.push(lostError(lost));
      if (others.length > 0) errors.push(unhandledError(others));
      return errors;
    },
  };
}

interface RequestEvent {
  request: Request;
  requestId: string;
}

/** A request that MSW has not said the end of, and the handlers that there were when it began. */
interface OpenRequest {
  request: Request;
  handlers: readonly object[];
}

/** MSW 2 does not say the end of a request that it made an error itself, nor of course of one that is still answered. */
async function unanswered(left: readonly OpenRequest[]): Promise<Request[]> {
  const answers = await Promise.all(left.map(({ request, handlers }) => hasHandler(request, handlers)));
  return left.filter((_, index) => !answers[index]).map(({ request }) => request);
}

async function hasHandler(request: Request, handlers: readonly object[]): Promise<boolean> {
  for (const handler of handlers) {
    // What a handler cannot judge any more, for its body is gone, is not held against the test.
    if (isRequestHandler(handler) && (await handler.test({ request }).catch(() => true))) return true;
  }
  return false;
}

/** Those of WebSockets have no such method. */
function isRequestHandler(handler: object): handler is RequestHandler {
  return 'test' in handler;
}

/** Without queries, which may hold a secret. */
function describe(requests: readonly Request[]): string {
  const described = requests.map(({ method, url }) => {
    const { origin, pathname } = new URL(url);
    return `${method} ${origin}${pathname}`;
  });
  return described.join(', ');
}

function unhandledError(requests: readonly Request[]): Error {
  return new Error(
    `Failed to answer ${describe(requests)}: because no handler is for it. Ask below mock.baseUrl, join a server with a handler, or let it go with allowUnhandled. An earlier test of the file may have sent it, without awaiting it.`,
  );
}

function lostError(requests: readonly Request[]): Error {
  return new Error(
    `Failed to answer ${describe(requests)}: because the handler of the mock is gone from the server that it joined. Pass beforeEach among the hooks, and call resetHandlers between tests only.`,
  );
}
