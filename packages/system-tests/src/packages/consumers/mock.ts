import { createMemoryMock, type Fault } from '@memory-read/msw';
import { startMemoryMock } from '@memory-read/msw/browser';
import { setupMemoryMock } from '@memory-read/msw/node';
import { setupWorker } from 'msw/browser';
import { setupServer } from 'msw/node';

const fault: Fault = { status: 503 };
const mock = createMemoryMock({ now: '2026-01-01T12:00:00Z' });
mock.faults.next(fault);
// @ts-expect-error a wrong override does not compile
mock.memories.add({ titel: 'Stand-up' });

const server = setupServer(...mock.handlers);
server.use(...mock.handlers);
export const used = [startMemoryMock, () => setupWorker(...mock.handlers), () => setupMemoryMock({ server })];
export const fetchOfClient: typeof fetch = mock.fetch;
