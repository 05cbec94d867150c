import { startMemoryMock } from '@memory-read/msw/browser';
import { fillMock, worldOptions } from './world-of-mock.ts';

const mock = await startMemoryMock({ ...worldOptions, baseUrl: '/api' });
fillMock(mock);
Object.assign(globalThis, { mock });
