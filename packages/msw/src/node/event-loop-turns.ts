import { MessageChannel } from 'node:worker_threads';

// MSW needs one turn on both major versions. The others are for code under test that sends requests in a chain.
const TURNS = 5;

/** Waits so that requests without an await reach MSW. Fake timers replace setImmediate, but no ports. */
export async function eventLoopTurns(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  for (let turn = 0; turn < TURNS; turn += 1) {
    await new Promise<void>((resolve) => {
      port1.once('message', resolve);
      port2.postMessage(undefined);
    });
  }
  port1.close();
}
