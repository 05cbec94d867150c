import { startMemoryMock } from '@memory-read/msw/browser';
import { observeFaults } from './observe-faults.ts';

const mock = await startMemoryMock({ baseUrl: '/api', auth: 'none', now: '2026-01-01T12:00:00Z' });
const observe = () => observeFaults(mock, (url, init) => fetch(url, init));
Object.assign(globalThis, { observe });
