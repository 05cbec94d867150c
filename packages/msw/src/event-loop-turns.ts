import { macrotaskOf, type TurnGlobals } from '@memory-read/contract/event-loop';

// MSW needs one turn on both major versions. The others are for code under test that sends requests in a chain.
const TURNS = 5;

/** Waits for some turns of the event loop. Fake timers replace setImmediate and setTimeout, but no channels. */
export async function eventLoopTurns(MessageChannel: TurnGlobals['MessageChannel']): Promise<void> {
  const later = macrotaskOf({ MessageChannel, setTimeout });
  for (let turn = 0; turn < TURNS; turn += 1) await new Promise<void>(later);
}
