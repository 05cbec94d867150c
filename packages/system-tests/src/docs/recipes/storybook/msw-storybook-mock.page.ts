import { startMemoryMock } from '@memory-read/msw/browser';

/** All stories share this mock, because a page has one service worker. */
export const mock = await startMemoryMock({ baseUrl: '/api', auth: 'none' });
