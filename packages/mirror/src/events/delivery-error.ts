/** What a failed try means. See {@link DeliveryError}. */
export type DeliveryAction = 'retry' | 'unavailable' | 'park' | 'stop';

/**
 * Thrown by a function that delivers events, to say what its failure means.
 *
 * - `retry`: the receiver answered that it did not accept the event.
 * - `unavailable`: there was no answer, or the receiver said that it is not available.
 * - `park`: the receiver will never accept this event.
 * - `stop`: the receiver does not exist any more. Nothing is delivered until `resumeSink`.
 *
 * @example
 * ```ts
 * const options = { types: ['memory.processed'] } as const;
 * await mirror.deliver(
 *   'notes',
 *   ({ data }) => {
 *     if (!data.memory?.summary) throw new DeliveryError('the memory has no summary', { action: 'park' });
 *     console.log(data.memory.summary.quick_summary);
 *   },
 *   options,
 * );
 * ```
 */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  /** What the failure means. */
  readonly action: DeliveryAction;
  /** Milliseconds that the receiver asked to wait; undefined if it did not. */
  readonly retryAfter: number | undefined;

  /** Creates the error with this message. Default of `action`: `retry`. */
  constructor(
    message: string,
    {
      action = 'retry',
      retryAfter,
      ...options
    }: { action?: DeliveryAction | undefined; retryAfter?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, options);
    this.action = action;
    this.retryAfter = retryAfter;
  }
}

/** Returns whether a value is a `DeliveryError`, also one of another realm or copy of this package. */
export function isDeliveryError(value: unknown): value is DeliveryError {
  return (Object(value) as { name?: unknown }).name === 'DeliveryError';
}
