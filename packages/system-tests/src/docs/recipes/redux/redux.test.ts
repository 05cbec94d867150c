// @vitest-environment jsdom
import { isMemoryApiError, type Memory, MemoryClient } from '@memory-read/client';
import { createApi, fakeBaseQuery } from '@reduxjs/toolkit/query';

const client = new MemoryClient({ baseUrl: '/api', auth: 'none' });

const memoryApi = createApi({
  reducerPath: 'memoryApi',
  baseQuery: fakeBaseQuery<{ code: string; message: string }>(),
  endpoints: (build) => ({
    memory: build.query<Memory, string>({
      // The copies that Redux makes otherwise lose the response of the memory.
      structuralSharing: false,
      async queryFn(memoryId, { signal }) {
        try {
          return { data: await client.getMemory(memoryId, { signal }) };
        } catch (error) {
          const { code, message } = isMemoryApiError(error) ? error : { code: 'unknown', message: String(error) };
          return { error: { code, message } };
        }
      },
    }),
  }),
});

import { responseInfo } from '@memory-read/client';
import { setupMemoryMock } from '@memory-read/msw/node';
import { configureStore } from '@reduxjs/toolkit';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

const mock = setupMemoryMock({
  baseUrl: '/api',
  auth: 'none',
  memories: [],
  hooks: { beforeAll, afterEach, afterAll },
});

const patient = { warnAfter: Number.POSITIVE_INFINITY };

test('RTK Query keeps the response over reads, and Redux warns about neither data nor errors', async () => {
  const warnings = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')];
  const store = configureStore({
    reducer: { [memoryApi.reducerPath]: memoryApi.reducer },
    // Redux also warns when its checks take long, as on a busy machine.
    middleware: (defaults) =>
      defaults({ serializableCheck: patient, immutableCheck: patient }).concat(memoryApi.middleware),
  });
  const { id } = mock.memories.add({ name: 'Stand-up' });
  for (const name of ['Stand-up', 'Renamed']) {
    const { data } = await store.dispatch(memoryApi.endpoints.memory.initiate(id, { forceRefetch: true }));
    expect([data?.name, responseInfo(data as Memory)?.status]).toEqual([name, 200]);
    mock.memories.update(id, { name: 'Renamed' });
  }
  const { error } = await store.dispatch(memoryApi.endpoints.memory.initiate('mem_none'));
  expect(error).toMatchObject({ code: 'not_found' });
  for (const spy of warnings) expect(spy).not.toHaveBeenCalled();
});
