import { createContext, runInContext } from 'node:vm';
import { afterEach, expect, test, vi } from 'vitest';
import { ConfigurationError, isMemoryApiError, MemoryApiError } from '../index.ts';

afterEach(() => {
  vi.resetModules();
});

test('an error of another copy of the package is recognised, although instanceof fails', async () => {
  vi.resetModules();
  const copy = await import('../index.ts');
  const error = new copy.ConfigurationError('From the other copy.');
  expect(error).not.toBeInstanceOf(MemoryApiError);
  expect(isMemoryApiError(error)).toBe(true);
});

test('an error of another realm is recognised', () => {
  const foreign = runInContext(
    "Object.assign(new Error('x'), { code: 'server', [Symbol.for('@memory-read/client/MemoryApiError')]: true })",
    createContext(),
  );
  expect(foreign).not.toBeInstanceOf(Error);
  expect(isMemoryApiError(foreign)).toBe(true);
});

test.each([
  undefined,
  null,
  'configuration',
  7,
  {},
  new Error('x'),
  { code: 'configuration', name: 'ConfigurationError' },
])('rejects %s', (value) => {
  expect(isMemoryApiError(value)).toBe(false);
});

test('the name stands in the stack and in the text of an error, and does not depend on the name of the class', () => {
  const Minified = class a extends ConfigurationError {};
  const error = new Minified('So it is.');
  expect(error.name).toBe('ConfigurationError');
  expect(String(error)).toBe('ConfigurationError: So it is.');
  expect(error.stack).toMatch(/^ConfigurationError: So it is\./);
});

test('the name can be assigned and overridden, and is listed as little as that of any Error', () => {
  class Renamed extends ConfigurationError {
    override name = 'Renamed';
  }
  expect(String(new Renamed('So it is.'))).toBe('Renamed: So it is.');
  const error = new ConfigurationError('So it is.');
  expect(Object.keys(error)).not.toContain('name');
  error.name = 'Mine';
  expect(String(error)).toBe('Mine: So it is.');
  expect(new ConfigurationError('So it is.').name).toBe('ConfigurationError');
});

test('an error without a cause or a request has no such fields', () => {
  const error = new ConfigurationError('So it is.');
  expect(error).not.toHaveProperty('cause');
  expect(error).not.toHaveProperty('request');
  expect(error).not.toHaveProperty('requestId');
});
