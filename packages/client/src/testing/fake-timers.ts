import { afterEach, beforeEach, vi } from 'vitest';

/** Gives each test of the file fake timers, and ends them with all mocks and stubs of the test. */
export function useFakeTimers(options?: Parameters<typeof vi.useFakeTimers>[0]): void {
  beforeEach(() => void vi.useFakeTimers(options));
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });
}
