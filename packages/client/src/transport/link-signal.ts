/** A signal that follows another, of whatever realm, and can be ended on its own. */
export interface SignalLink {
  readonly signal: AbortSignal;
  /** Lets go of the other. Enough where nothing goes on any more: an abort is a good part of what a call costs. */
  release(): void;
  /** Aborts the signal, with this reason if any, and lets go of the other. */
  end(reason?: unknown): void;
}

/** One for all: to note the stack for each would be a good part of what a call costs. */
const over = new DOMException('', 'AbortError');

export function linkSignal(parent: AbortSignal | undefined): SignalLink {
  const controller = new AbortController();
  const follow = () => controller.abort(parent?.reason);
  if (parent?.aborted) follow();
  else parent?.addEventListener('abort', follow, { once: true });
  const release = () => parent?.removeEventListener('abort', follow);
  return {
    signal: controller.signal,
    release,
    end(reason: unknown = over) {
      release();
      controller.abort(reason);
    },
  };
}
