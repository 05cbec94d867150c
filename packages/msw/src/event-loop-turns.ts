/** What the channels of browsers and of `node:worker_threads` have in common. */
type Channel = new () => { port1: { onmessage: unknown; close(): void }; port2: { postMessage(message: null): void } };

// MSW needs one turn on both major versions. The others are for code under test that sends requests in a chain.
const TURNS = 5;

/**
 * Waits for some turns of the event loop. Fake timers replace setImmediate and setTimeout, but no channels. Without a
 * channel, as in jsdom of Jest, a timer has to do.
 */
export async function eventLoopTurns(Channel: Channel | undefined): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) {
    await new Promise<void>((resolve) => {
      if (Channel === undefined) return void setTimeout(resolve);
      const { port1, port2 } = new Channel();
      port1.onmessage = () => {
        // An open port keeps a process alive.
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    });
  }
}
