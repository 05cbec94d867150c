// Fake timers can replace the global later, and the jsdom environment of Jest lacks it.
const { setImmediate = (run: () => void) => void setTimeout(run) } = globalThis as {
  setImmediate?: (run: () => void) => unknown;
};

// MSW needs one turn on both major versions. The others are for code under test that sends requests in a chain.
const TURNS = 5;

/** Waits so that requests without an await reach MSW. */
export async function eventLoopTurns(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await new Promise<void>((resolve) => void setImmediate(resolve));
}
