import { vi } from 'vitest';
import { runtime as globalRuntime } from '../transport/deadline.ts';

interface Timer {
  readonly at: number;
  readonly fire: () => void;
}

/** Replaces the runtime by one whose time advances at once when all code waits for it. `vi.restoreAllMocks` ends that. */
export function useVirtualRuntime() {
  const timers = new Set<Timer>();
  const pauses: number[] = [];
  let time = 0;
  let isPassing = false;

  const pass = async () => {
    isPassing = true;
    while (timers.size > 0) {
      // Pending work that needs no timer runs first.
      for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      const [next] = [...timers].sort((one, other) => one.at - other.at);
      if (next === undefined) break;
      timers.delete(next);
      time = Math.max(time, next.at);
      next.fire();
    }
    isPassing = false;
  };

  const sleep = (milliseconds: number, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const timer = { at: time + milliseconds, fire: () => resolve() };
      timers.add(timer);
      if (!isPassing) void pass();
      signal?.addEventListener('abort', () => {
        timers.delete(timer);
        reject(signal.reason);
      });
    }).then(() => void pauses.push(milliseconds));

  const runtime = {
    now: () => new Date(Date.parse('2026-11-20T12:00:00Z') + time),
    uptime: () => time,
    random: () => 0.5,
    sleep,
  };
  for (const [name, method] of Object.entries(runtime))
    vi.spyOn(globalRuntime, name as 'now').mockImplementation(method as () => Date);
  /** Pauses that have ended, in milliseconds. */
  return { runtime, pauses, timers };
}
