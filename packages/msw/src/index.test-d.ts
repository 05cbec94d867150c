import type { setupWorker } from 'msw/browser';
import type { setupServer } from 'msw/node';
import { createMemoryMock, type Fault, type MemoryMock } from './index.ts';

const mock: MemoryMock = createMemoryMock({ now: new Date(0), seed: 'a', baseUrl: undefined });

// The handlers are accepted by both setup functions of MSW, and the fetch by the client.
export const handlers: Parameters<typeof setupServer> & Parameters<typeof setupWorker> = mock.handlers as never;
export const fetchOfClient: typeof globalThis.fetch = mock.fetch;
mock.memories.add({ name: 'Stand-up', transcript: null, summary: undefined });
mock.faults.next({ status: 429, retryAfter: 1_000 }, { times: 2, match: { operation: 'getMemory' } });

// @ts-expect-error: there is no such option
createMemoryMock({ baseURL: 'https://api.example.com' });
// @ts-expect-error: no record is without a name
createMemoryMock({ memories: [{ id: 'mem_1' }] });
// @ts-expect-error: there is no such field
mock.memories.add({ titel: 'Stand-up' });
// @ts-expect-error: of another type
mock.memories.add({ duration_seconds: '60' });
// @ts-expect-error: a name is never null
mock.memories.update('mem_1', { name: null });
// @ts-expect-error: the account is named beside the record
mock.memories.add({ user_id: 'user_1' });
// @ts-expect-error: it is what the method says
mock.memories.addProcessing({ is_processing: false });
// @ts-expect-error: an id does not change
mock.memories.update('mem_1', { id: 'mem_2' });
// @ts-expect-error: a segment has a speaker
mock.memories.finishProcessing('mem_1', { transcript: { segments: [{ text: 'Hello' }] } });
// @ts-expect-error: a typo
mock.faults.next('nework-error');
// @ts-expect-error: one or the other
export const both: Fault = { status: 500, delay: 5 };
// @ts-expect-error: no such style
export const styled: Fault = { status: 500, style: 'yaml' };
// @ts-expect-error: there is no such operation
mock.faults.always('stall', { match: { operation: 'list' } });
// @ts-expect-error: the log is to be read
mock.requests.push();
// @ts-expect-error: what is not reset cannot be replaced
mock.clock = { now: () => new Date(0) };
