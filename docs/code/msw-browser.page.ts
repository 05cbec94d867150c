import { startMemoryMock } from '@memory-read/msw/browser';

// #region start-memory-mock
const mock = await startMemoryMock({ baseUrl: '/api', auth: 'none' });
mock.faults.always({ status: 503 }, { match: { operation: 'getMemory' } });
// #endregion

// The test uses this global.
Object.assign(globalThis, { mock });
