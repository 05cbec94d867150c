import type { Operation } from './operation.ts';

export const getMemory = {
  id: 'getMemory',
  method: 'GET',
  path: '/v1/memories/{memory_id}',
  summary: 'Get one memory of the calling account',
  section: '4.2',
  response: {
    description: 'The memory, with its transcript and summary once it is processed.',
    component: 'Memory',
  },
  problems: ['missing-api-key', 'invalid-api-key', 'memory-not-found', 'malformed-memory-id', 'internal-server-error'],
} as const satisfies Operation;
