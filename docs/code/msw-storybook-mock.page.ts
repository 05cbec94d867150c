import { startMemoryMock } from '@memory-read/msw/browser';

/** One for all stories: a page has one service worker. */
export const mock = await startMemoryMock({ baseUrl: '/api', auth: 'none' });
