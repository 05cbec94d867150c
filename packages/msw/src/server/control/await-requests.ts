import type { MockSpace } from '../mock-server.ts';
import type { NextEntry } from './control-route.ts';

interface Wait {
  /** Sequence number of the last entry that the caller has. */
  after: number;
  waitMs: number;
  /** Aborts when the caller closes the connection. */
  signal: AbortSignal;
  nextEntry: NextEntry;
}

/** Returns the entries after one. Without any, waits for the next one, a reset, the end of the space or the time. */
export async function awaitRequests(space: MockSpace, { after, waitMs, signal, nextEntry }: Wait) {
  const read = () => ({
    requests: space.requests.filter(({ seq }) => seq > after),
    next: space.requests.at(-1)?.seq ?? 0,
  });
  let page = read();
  if (waitMs === 0) return page;
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, waitMs);
  signal.addEventListener('abort', end, { once: true });
  try {
    while (page.requests.length === 0 && !ending.signal.aborted) {
      await nextEntry(space, ending.signal);
      page = read();
    }
  } catch {
    // A reset, or the end of the space, of the time or of the connection: the log says what there is.
    page = read();
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
  return page;
}
