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

function toFailure(thrown: unknown): Failure {
  const { message, action, retryAfter } = Object(thrown) as Record<string, unknown>;
  const hasMeaning = isDeliveryError(thrown);
  const text = visibleText(String(message ?? thrown), LONGEST_ERROR);
  return {
    action: hasMeaning && actions.has(action) ? (action as DeliveryAction) : 'retry',
    retryAfter: hasMeaning && Number(retryAfter) >= 0 ? Math.ceil(Number(retryAfter)) : undefined,
    error: text === '' ? 'The error has no message.' : text,
  };
}
