import { visibleText } from '@memory-read/contract/visible-text';
import { type DeliveryAction, isDeliveryError } from './delivery-error.ts';
import type { Failure } from './delivery-rules.ts';
import type { SendEvent } from './delivery-types.ts';
import type { MemoryEvent } from './event-types.ts';

/** Milliseconds that the event in flight has after an abort. */
const GRACE = 10_000;

/** Longest error text that is stored. */
const LONGEST_ERROR = 300;

const actions: ReadonlySet<unknown> = new Set<DeliveryAction>(['retry', 'unavailable', 'park', 'stop']);

/**
 * Sends an event once. Returns undefined if it was accepted, and otherwise its failure.
 *
 * @throws the reason of the signal if there is no result 10 seconds after it aborted. The try then has no result.
 */
export async function tryEvent(
  send: SendEvent,
  { event, body }: { event: MemoryEvent; body: string },
  { attempt, signal }: { attempt: number; signal: AbortSignal | undefined },
): Promise<Failure | undefined> {
  const deadline = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<never>((_, reject) => {
    deadline.signal.addEventListener('abort', () => reject(signal?.reason), { once: true });
  });
  ended.catch(() => {});
  const startGrace = () => {
    timer = setTimeout(() => deadline.abort(signal?.reason), GRACE);
  };
  signal?.addEventListener('abort', startGrace, { once: true });
  try {
    const sent = (async () => send(event, { attempt, body, signal: deadline.signal }))();
    const result = sent.then(() => undefined, toFailure);
    return await Promise.race([ended, result]);
  } finally {
    signal?.removeEventListener('abort', startGrace);
    clearTimeout(timer);
  }
}

const untold: Failure = { action: 'retry', retryAfter: undefined, error: 'The error has no message.' };

function toFailure(thrown: unknown): Failure {
  try {
    const { message } = Object(thrown) as { message?: unknown };
    const error = visibleText(String(message ?? thrown), LONGEST_ERROR) || untold.error;
    if (!isDeliveryError(thrown)) return { ...untold, error };
    const { action, retryAfter } = thrown;
    return {
      action: actions.has(action) ? action : 'retry',
      retryAfter: typeof retryAfter === 'number' && retryAfter >= 0 ? Math.ceil(retryAfter) : undefined,
      error,
    };
  } catch {
    // What was thrown cannot become a text.
    return untold;
  }
}
