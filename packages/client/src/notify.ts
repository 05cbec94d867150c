/** Calls a listener, if there is one. Ignores errors and rejections of the listener. */
export function notify<Event>(listener: ((event: Event) => unknown) | undefined, event: Event): void {
  void (async () => {
    try {
      await listener?.(event);
    } catch {
      // A failing log line must not fail the call.
    }
  })();
}
