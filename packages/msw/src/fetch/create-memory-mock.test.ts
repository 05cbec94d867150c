import { expect, test } from 'vitest';
import { createMemoryMock as createMockForMsw } from '../create-memory-mock.ts';
import { createMemoryMock } from './create-memory-mock.ts';

test('the mock without MSW has everything except the handlers, and returns the same responses', async () => {
  const [mock, mockForMsw] = [createMemoryMock(), createMockForMsw()];
  expect(Object.keys(mockForMsw).filter((name) => !Object.hasOwn(mock, name))).toEqual(['handlers']);
  const answers = [mock, mockForMsw].map(async ({ fetch, baseUrl, apiKey }) => {
    const response = await fetch(`${baseUrl}/v1/memories`, { headers: { 'x-api-key': apiKey } });
    return [response.status, await response.text()];
  });
  const [answer, expected] = await Promise.all(answers);
  expect(answer).toEqual(expected);
  expect(answer?.[0]).toBe(200);
});

test('accepts and checks the options of the mock', () => {
  expect(createMemoryMock({ baseUrl: 'https://other.test', memories: [] }).memories.all()).toEqual([]);
  expect(() => createMemoryMock({ baseURL: 'https://other.test' } as object)).toThrow(TypeError);
});
