import { fillMock, worldOptions } from '@memory-read/integration-tests/parity/hosts/fill-mock';
import { startMemoryMock } from '@memory-read/msw/browser';

const mock = await startMemoryMock({ ...worldOptions, baseUrl: '/api' });
fillMock(mock);
Object.assign(globalThis, { mock });
