import type { RequestHandler } from 'msw';
import type { SetupServer } from 'msw/node';
import { evaluatePredicate } from '../checks/evaluate-predicate.ts';

/** Collects unhandled requests, because the code under test may catch their errors. */
export interface UnhandledRequests {
  /** Returns whether the request may reach the network. An error of the predicate is collected, and counts as false. */
  isAllowed(request: Request): boolean;
  add(request: Request): void;
  /** Watches a server that the test has started. Returns a function that stops it. */
  watch(server: Pick<SetupServer, 'events' | 'listHandlers'>): () => void;
  /** Returns the errors since the last call. */
  take(): Promise<unknown[]>;
}

/** `allow` is the test's decision whether a request may reach the network. */
export function createUnhandledRequests(allow: (request: Request) => boolean): UnhandledRequests {
  let unhandled: Request[] = [];
  let predicateErrors: unknown[] = [];
  const open = new Map<string, OpenRequest>();

  function isAllowed(request: Request): boolean {
    // MSW 2 also reports data: URLs, which use no network.
    if (!/^(?:http|ws)s?:/.test(request.url)) return true;
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
      if (requests.length > 0) errors.push(unhandledError(requests));
      return errors;
    },
  };
}

interface RequestEvent {
  request: Request;
  requestId: string;
}

/** A request without an end event, and the handlers that existed when it started. */
interface OpenRequest {
  request: Request;
  handlers: readonly object[];
}

/** Returns the requests that no handler matches. MSW 2 emits no end event for a request that it fails itself. */
async function unanswered(left: readonly OpenRequest[]): Promise<Request[]> {
  const answers = await Promise.all(left.map(({ request, handlers }) => hasHandler(request, handlers)));
  return left.filter((_, index) => !answers[index]).map(({ request }) => request);
}

async function hasHandler(request: Request, handlers: readonly object[]): Promise<boolean> {
  for (const handler of handlers) {
    // A handler that throws because the body was read counts as a match.
    if (isRequestHandler(handler) && (await handler.test({ request }).catch(() => true))) return true;
  }
  return false;
}

/** Handlers of WebSockets have no such method. */
function isRequestHandler(handler: object): handler is RequestHandler {
  return 'test' in handler;
}

/** Describes requests without their queries, which may contain a secret. */
function describe(requests: readonly Request[]): string {
  const described = requests.map(({ method, url }) => {
    const { origin, pathname } = new URL(url);
    return `${method} ${origin}${pathname}`;
  });
  return described.join(', ');
}

function unhandledError(requests: readonly Request[]): Error {
  return new Error(
    `Failed to answer every request: no handler matches ${describe(requests)}. Use a URL below mock.baseUrl, add a handler to the server, or allow the request with allowUnhandled. An earlier test of the file may have sent the request without awaiting it.`,
  );
}
