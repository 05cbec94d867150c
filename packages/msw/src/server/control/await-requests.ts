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
  const present = read();
  if (present.requests.length > 0 || waitMs === 0) return present;
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, waitMs);
  signal.addEventListener('abort', end, { once: true });
  try {
    await nextEntry(space, ending.signal);
  } catch {
    // A reset, or the end of the space, of the time or of the connection: the log says what there is.
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
  return read();
}
