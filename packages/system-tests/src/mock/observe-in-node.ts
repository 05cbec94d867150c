// Prints what a caller in Node observes for each fault, through MSW and through `mock.fetch`.
import { createMemoryMock } from '@memory-read/msw';
import { setupServer } from 'msw/node';
import { observeFaults } from './observe-faults.ts';

const mock = createMemoryMock({ auth: 'none', now: '2026-01-01T12:00:00Z' });

const server = setupServer(...mock.handlers);
server.listen();
const throughMsw = await observeFaults(mock, fetch);
server.close();
const throughFetch = await observeFaults(mock, mock.fetch);
console.log(JSON.stringify({ throughMsw, throughFetch }));
