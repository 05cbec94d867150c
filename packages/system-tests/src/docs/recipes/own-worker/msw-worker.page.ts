import { startMemoryMock } from '@memory-read/msw/browser';
import { HttpResponse, http } from 'msw';
import { setupWorker } from 'msw/browser';

// #region join-worker
const worker = setupWorker(http.get('/api/flags', () => HttpResponse.json({ search: true })));
await worker.start();
const mock = await startMemoryMock({ baseUrl: '/api/memory', auth: 'none', worker });
// #endregion

// The test uses this global.
Object.assign(globalThis, { mock });
