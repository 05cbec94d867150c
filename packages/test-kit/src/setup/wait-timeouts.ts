import { vi } from 'vitest';

// A setup file of all Vitest projects: a busy machine needs more than the default timeout of one second.
const timeout = 30_000;

const { waitFor, waitUntil } = vi;
vi.waitFor = (callback, options) => waitFor(callback, { timeout, ...read(options) });
vi.waitUntil = (callback, options) => waitUntil(callback, { timeout, ...read(options) });

if ('document' in globalThis) {
  const { configure } = await import('@testing-library/dom');
  configure({ asyncUtilTimeout: timeout });
}

function read(options: number | { timeout?: number; interval?: number } = {}): { timeout?: number; interval?: number } {
  return typeof options === 'number' ? { timeout: options } : options;
}
