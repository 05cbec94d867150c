// Prints what a caller in Node observes for each fault, through MSW, through `mock.fetch` and from a mock server.
import { createMemoryMock } from '@memory-read/msw';
import { startMockServer } from '@memory-read/msw/server';
import { setupServer } from 'msw/node';
import { observeFaults, observeServerFaults } from './observe-faults.ts';

const options = { auth: 'none', now: '2026-01-01T12:00:00Z' } as const;
const mock = createMemoryMock(options);

const server = setupServer(...mock.handlers);
server.listen();
const throughMsw = await observeFaults(mock, fetch);
server.close();
const throughFetch = await observeFaults(mock, mock.fetch);
await using mockServer = await startMockServer(options);
const fromServer = await observeServerFaults(mockServer, fetch);
console.log(JSON.stringify({ throughMsw, throughFetch, fromServer }));
