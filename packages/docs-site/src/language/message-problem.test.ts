import { expect, test } from 'vitest';
import { messageProblem } from './message-problem.ts';

test.each([
  'Failed to list memories: the server answered 401 (invalid key). Check MEMORY_API_KEY.',
  'Failed to get memory "https://a.example/\\"": the server answered 404. Check the id.',
  'Failed to open "/data": it is not a folder. Choose a folder.',
  'Failed to use postgres://ada@db:5432/memories: the connection was lost. Try again.',
])('%j has the form of a message', (message) => {
  expect(messageProblem(message)).toBeUndefined();
});

test.each([
  ['The server answered 401. Check the key.', 'It does not begin with "Failed to …: "'],
  ['Failed to list memories. Check the key.', 'It does not begin with "Failed to …: "'],
  ['Failed to list memories: because of a 401. Check the key.', 'It says "because"'],
  ['Failed to list memories: a 401. Check the key', 'It does not end with a full stop'],
  ['Failed to list memories: the server answered 401.', 'It does not say what to do'],
])('%j does not', (message, problem) => {
  expect(messageProblem(message)).toBe(problem);
});
