import { createMemories, edgeCases } from '@memory-read/fixtures';
import { startMemoryMock } from '@memory-read/msw/browser';

/** A backend in the page, for development: realistic memories, awkward ones, and one whose processing ends in a while. */
export async function startMock(): Promise<void> {
  const now = new Date();
  const memories = [...createMemories({ count: 12, seed: 1, now }), ...Object.values(edgeCases)];
  const mock = await startMemoryMock({ baseUrl: '/api', auth: 'none', memories });
  mock.memories.addProcessing({ name: 'A walk by the river', duration_seconds: 240 }, { finishAfter: 20_000 });
  // For the console of the browser: mock.faults.always({ status: 401 }), for example.
  Object.assign(globalThis, { mock });
}
