import { expect, test } from 'vitest';
import { problems } from '../problems/problems.ts';
import { operations } from './operations.ts';

test('there are the two operations of section 4, and both only read', () => {
  expect(Object.values(operations).map(({ section, method, path }) => `${section} ${method} ${path}`)).toEqual([
    '4.1 GET /v1/memories',
    '4.2 GET /v1/memories/{memory_id}',
  ]);
});

test('every operation stands under its own id', () => {
  for (const [id, operation] of Object.entries(operations)) expect(operation.id).toBe(id);
});

test('the list answers with the list, the detail endpoint with a memory', () => {
  expect(operations.listMemories.response.component).toBe('MemoryList');
  expect(operations.getMemory.response.component).toBe('Memory');
});

test('each operation has the errors that rule 7.1 gives it', () => {
  const statuses = (names: readonly (keyof typeof problems)[]) => [
    ...new Set(names.map((name) => problems[name].status)),
  ];
  expect(statuses(operations.listMemories.problems)).toEqual([401, 500]);
  expect(statuses(operations.getMemory.problems)).toEqual([401, 404, 422, 500]);
});
