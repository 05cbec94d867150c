import { scenariosOf, storedMemory } from './scenario.ts';

const manyMemories = Array.from({ length: 2_000 }, (_, index) => ({
  ...storedMemory(`mem_${index}`, -index),
  transcript: null,
  summary: null,
}));

export const requests = scenariosOf('requests', [
  { id: 'list', title: 'a list of three memories', ends: 'data' },
  { id: 'list-empty', title: 'an account without memories', stored: [], ends: 'data' },
  { id: 'list-long', title: 'a list of 2,000 memories', stored: manyMemories, ends: 'data' },
  { id: 'get', title: 'one memory', operation: 'get', ends: 'data' },
  { id: 'base-path', title: 'a base URL with a path', basePath: '/api/memories', ends: 'data' },
  { id: 'base-slash', title: 'a base URL that ends with a slash', urlEnd: '/', ends: 'data' },
]);
