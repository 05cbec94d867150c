import { expect, test } from 'vitest';
import { createMemoryMock as createMockForMsw } from '../create-memory-mock.ts';
import { createMemoryMock } from './create-memory-mock.ts';

test('the mock without MSW has all but the handlers, and answers the same', async () => {
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

test('the options are those of the mock, and are judged', () => {
  expect(createMemoryMock({ baseUrl: 'https://other.test', memories: [] }).memories.all()).toEqual([]);
  expect(() => createMemoryMock({ baseURL: 'https://other.test' } as object)).toThrow(TypeError);
});
