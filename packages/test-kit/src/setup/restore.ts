import { afterAll, vi } from 'vitest';

// A setup file of all Vitest projects: files of one worker share their globals, so each file restores what it replaced.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
