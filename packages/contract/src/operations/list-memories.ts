import type { Operation } from './operation.ts';

export const listMemories = {
  id: 'listMemories',
  method: 'GET',
  path: '/v1/memories',
  summary: 'List the memories of the calling account',
  section: '4.1',
  response: {
    description: 'All memories of the account, newest first, without transcripts.',
    component: 'MemoryList',
  },
  problems: ['missing-api-key', 'invalid-api-key', 'internal-server-error'],
} as const satisfies Operation;
