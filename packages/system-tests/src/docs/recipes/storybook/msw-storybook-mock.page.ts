import { startMemoryMock } from '@memory-read/msw/browser';

// A hot reload runs this module again in the same page, which can have only one mock.
await import.meta.hot?.data.mock?.close();
export const mock = await startMemoryMock({ baseUrl: '/api', auth: 'none' });
if (import.meta.hot) import.meta.hot.data.mock = mock;
