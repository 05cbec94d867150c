import { startMemoryMock } from '@memory-read/msw/browser';
import { smoke } from './smoke.mjs';

const mock = await startMemoryMock({ baseUrl: '/api', auth: 'none' });
const response = await fetch('/api/v1/memories');
const behindWorker = (await response.json()).length;
await mock.close();
globalThis.report = { ...(await smoke()), behindWorker };
