import { createMemoryMock, type Fault, type FetchMemoryMock } from '@memory-read/msw/fetch';

const fault: Fault = { status: 503 };
const mock: FetchMemoryMock = createMemoryMock({ now: '2026-01-01T12:00:00Z' });
mock.faults.next(fault);
// @ts-expect-error nothing here is for MSW
mock.handlers;
export const fetchOfClient: typeof fetch = mock.fetch;
