import { createMemoryMock, type MemoryMock } from '@memory-read/msw';
import { type ParityHost, refusalOfFetch, toRawAnswer } from './parity-host.ts';
import { fillMock, worldOptions } from './world-of-mock.ts';

/** Creates a mock with the data of the world. */
export function createWorldMock(baseUrl?: string): MemoryMock {
  const mock = createMemoryMock({ ...worldOptions, baseUrl });
  fillMock(mock);
  return mock;
}

/** A mock behind a fetch: its own, or the global one that MSW intercepts. */
export function createMockHost(name: string, mock: MemoryMock, send: typeof fetch): ParityHost {
  return {
    name,
    baseUrl: mock.baseUrl,
    setClock: (instant) => mock.clock.set(instant),
    async send({ url, method, headers, body }) {
      return toRawAnswer(await send(url, { method, headers, ...(body !== undefined && { body }) }));
    },
    refusal: refusalOfFetch,
  };
}
