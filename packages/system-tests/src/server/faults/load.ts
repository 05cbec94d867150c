/** The outcome of a request: its status and body, a broken connection, or a timeout. */
export type Outcome = { status: number; body: string } | 'broken' | 'hung';

/** Requests that are sent until they are stopped. */
export interface Load {
  outcomes: Outcome[];
  /** Resolves when this number of further requests has ended. */
  ended(count: number): Promise<void>;
  /** Resolves when all requests that are in flight now have ended. */
  settled(): Promise<unknown>;
  /** Sends no further requests, and resolves when the last one has ended. */
  stop(): Promise<void>;
}

/** Keeps a number of requests in flight. `send` makes each request, and rejects if the connection breaks. */
export function startLoad(parallel: number, send: () => Promise<Response>): Load {
  const outcomes: Outcome[] = [];
  const inFlight = new Set<Promise<Outcome>>();
  const waiting = new Set<{ until: number; resolve: () => void }>();
  let isStopped = false;

  async function run(): Promise<void> {
    while (!isStopped) {
      const request = outcomeOf(send);
      inFlight.add(request);
      outcomes.push(await request);
      inFlight.delete(request);
      for (const waiter of waiting) {
        if (outcomes.length < waiter.until) continue;
        waiting.delete(waiter);
        waiter.resolve();
      }
    }
  }

  const runs = Array.from({ length: parallel }, run);
  return {
    outcomes,
    ended: (count) => new Promise((resolve) => waiting.add({ until: outcomes.length + count, resolve })),
    settled: () => Promise.all(inFlight),
    async stop() {
      isStopped = true;
      await Promise.all(runs);
    },
  };
}

async function outcomeOf(send: () => Promise<Response>): Promise<Outcome> {
  try {
    const response = await send();
    return { status: response.status, body: await response.text() };
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'hung' : 'broken';
  }
}
