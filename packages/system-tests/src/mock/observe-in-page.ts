import { startMemoryMock } from '@memory-read/msw/browser';
import { observeFaults } from './observe-faults.ts';

const mock = await startMemoryMock({ baseUrl: '/api', auth: 'none', now: '2026-01-01T12:00:00Z' });
const observe = () => observeFaults(mock, (init) => fetch('/api/v1/memories', init));
Object.assign(globalThis, { observe });
