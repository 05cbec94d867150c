type Run = () => void;

/** What a runtime may have to run a callback in a later turn of its event loop. */
export interface TurnGlobals {
  setImmediate?: ((run: Run) => unknown) | undefined;
  MessageChannel?: typeof MessageChannel | undefined;
  setTimeout: (run: Run) => unknown;
}

/** Returns the fastest function of a runtime that runs a callback in a later macrotask. */
export function macrotaskOf({ setImmediate, MessageChannel, setTimeout }: TurnGlobals): (run: Run) => void {
  if (setImmediate !== undefined) return (run) => void setImmediate(run);
  // The environment jsdom of Jest has neither. A browser delays nested timers by 4 ms, so they come last.
  if (MessageChannel === undefined) return (run) => void setTimeout(run);
  return (run) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      // An open port keeps a process alive.
      port1.close();
      run();
    };
    port2.postMessage(undefined);
  };
}
