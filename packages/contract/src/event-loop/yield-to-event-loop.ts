import { createYielder } from './create-yielder.ts';
import { macrotaskOf, type TurnGlobals } from './macrotask.ts';

/**
 * Lets the event loop turn if loops have kept it busy for 20 ms: resolves in a later turn. Otherwise it returns undefined.
 *
 * Call it before each round of a loop whose awaits may all be settled already, such as reads of a synchronous database.
 * Before the first round too, or a hundred loops that start at once do their first rounds in one turn.
 * All loops of a process share the 20 ms. On Cloudflare Workers the result is always undefined.
 */
export const yieldToEventLoop: () => Promise<void> | undefined = /* @__PURE__ */ yielderOf(globalThis as TurnGlobals);

function yielderOf(globals: TurnGlobals): () => Promise<void> | undefined {
  // Cloudflare drops the timers of a request that ends, and loops of other requests would wait for them. Its clock
  // stands still while code runs.
  if (globalThis.navigator?.userAgent === 'Cloudflare-Workers') return () => undefined;
  // Tests replace globals with fake timers later. A loop that waited for these would never continue.
  const now = performance.now.bind(performance);
  return createYielder({ now, macrotask: macrotaskOf(globals), budgetMs: 20 });
}
