/** Calls a listener, if there is one, and swallows what it throws, at once or later. */
export function notify<Event>(listener: ((event: Event) => unknown) | undefined, event: Event): void {
  void (async () => {
    try {
      await listener?.(event);
    } catch {
      // A broken log line is no reason to lose a memory.
    }
  })();
}
