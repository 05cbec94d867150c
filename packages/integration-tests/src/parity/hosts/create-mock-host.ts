import { createMemoryMock, type MemoryMock } from '@memory-read/msw';
import { fillMock, worldOptions } from './fill-mock.ts';
import { canFetch, type ParityHost } from './parity-host.ts';

/** A mock behind a fetch: its own, or the global one that MSW intercepts. */
export function createMockHost(name: string, fetchOf: (mock: MemoryMock) => typeof fetch): ParityHost {
  const mock = createMemoryMock(worldOptions);
  fillMock(mock);
  const send = fetchOf(mock);
  return {
    name,
    baseUrl: mock.baseUrl,
    setClock: (instant) => mock.clock.set(instant),
    async send({ url, method, headers, body }) {
      const response = await send(url, { method, headers, ...(body !== undefined && { body }) });
      return { status: response.status, headers: [...response.headers], body: Buffer.from(await response.bytes()) };
    },
    canSend: canFetch,
  };
}
