import { afterAll, vi } from 'vitest';

// A setup file of all Vitest projects: files of one worker share their globals, so each file restores what it replaced.
afterAll(() => {
  // Before the timers: a spy on a timer of the fake clock would put that timer back.
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.useRealTimers();
  // The next file of the worker would wait without a limit.
  if ('clock' in setTimeout) throw new Error('Failed to restore the timers: setTimeout is fake. Spy on no fake timer.');
});
