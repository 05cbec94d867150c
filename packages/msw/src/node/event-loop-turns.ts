// Fake timers replace the global later on; jsdom of Jest has none.
const { setImmediate = (run: () => void) => void setTimeout(run) } = globalThis as {
  setImmediate?: (run: () => void) => unknown;
};

// MSW hands a request on within one, on either major; the rest is for code under test that asks in a chain.
const TURNS = 5;

/** Waits so that requests without an await reach MSW. */
export async function eventLoopTurns(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await new Promise<void>((resolve) => void setImmediate(resolve));
}
