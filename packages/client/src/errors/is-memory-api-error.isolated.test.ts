import { once } from 'node:events';
import { createContext, runInContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { ConfigurationError, isMemoryApiError, isTransient, MemoryApiError, RateLimitError } from '../index.ts';
import { everyError } from '../testing/every-error.ts';
import type { AnyMemoryApiError } from './is-memory-api-error.ts';

/** The fields that programs decide on, also those of the causes. */
function decisive(error: unknown): unknown {
  if (!isMemoryApiError(error)) return undefined;
  const { name, code, message, cause } = error;
  const { status, reason, retryAfterMs, proxyStatus, faultCode, limit, option, memory, issues } = Object(error);
  const isProcessing = memory?.is_processing;
  const fields = { name, code, message, status, reason, retryAfterMs, proxyStatus, faultCode, limit, option, issues };
  return { ...fields, isProcessing, isTransient: isTransient(error), cause: decisive(cause) };
}

/** What a copy without its fields still shows: code, name and message, also of the causes. */
function named(error: unknown): unknown {
  return isMemoryApiError(error) && { ...pick(error), cause: error.cause && named(error.cause) };
}
const pick = ({ name, code, message }: AnyMemoryApiError) => ({ name, code, message });

/** Receives the errors of a thread, and the one that it fails with. */
async function fromThread() {
  const worker = new Worker(new URL('../testing/error-thread.ts', import.meta.url), {
    execArgv: ['--conditions=@memory-read/source'],
  });
  const posted: { error: unknown; record: unknown }[] = [];
  worker.on('message', (message) => posted.push(message));
  const [thrown] = (await once(worker, 'error')) as [unknown];
  return { posted, thrown };
}
const thread = await fromThread();

async function fromOtherCopy() {
  vi.resetModules();
  return (await import('../testing/every-error.ts')).everyError;
}
const otherCopy = await fromOtherCopy();

const parseInRealm = runInContext('JSON.parse', createContext()) as typeof JSON.parse;

test.each<[string, (error: AnyMemoryApiError, index: number) => unknown]>([
  ['the error itself', (error) => error],
  ['the error of another copy of the package', (_error, index) => otherCopy[index]],
  ['toJSON()', (error) => error.toJSON()],
  ['JSON', (error) => JSON.parse(JSON.stringify(error))],
  ['JSON of JSON', (error) => JSON.parse(JSON.stringify(JSON.parse(JSON.stringify(error))))],
  ['JSON in another realm', (error) => parseInRealm(JSON.stringify(error))],
  ['a clone of toJSON()', (error) => structuredClone(error.toJSON())],
  ['toJSON() of another thread', (_error, index) => thread.posted[index]?.record],
])('%s keeps every field that decides', (_title, copy) => {
  for (const [index, error] of everyError.entries()) expect(decisive(copy(error, index))).toEqual(decisive(error));
});

test.each<[string, (error: AnyMemoryApiError, index: number) => unknown]>([
  ['a clone', (error) => structuredClone(error)],
  ['a clone of a clone', (error) => structuredClone(structuredClone(error))],
  ['a cloned error of another copy of the package', (_error, index) => structuredClone(otherCopy[index])],
  ['an error of another thread', (_error, index) => thread.posted[index]?.error],
])('%s keeps code, name, message and causes', (_title, copy) => {
  for (const [index, error] of everyError.entries()) {
    const copied = copy(error, index);
    expect(named(copied)).toEqual(named(error));
    expect(Object.keys(copied as object)).toEqual(['code']);
    // Of a lost status or reason, nothing is known.
    expect(isTransient(copied)).toBe(error.code === 'rate_limited' || error.code === 'timeout');
  }
});

test('an error with which a thread ends keeps every field that decides', () => {
  expect(decisive(thread.thrown)).toEqual(decisive(everyError.at(-1)));
});

const { ServerError: ForeignServerError } = runInContext(
  "class ServerError extends Error {} ServerError.prototype.name = 'ServerError'; ({ ServerError })",
  createContext(),
) as { ServerError: new (message: string) => Error };
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();
const throwing = (property: string) => ({
  ...{ name: 'ServerError', code: 'server', message: 'x' },
  get [property](): never {
    throw new Error('No one may read this.');
  },
});

test.each<[string, unknown]>([
  ['undefined', undefined],
  ['null', null],
  ['a text', 'configuration'],
  ['a number', 7],
  ['a function', () => {}],
  ['an empty object', {}],
  ['an object without a prototype', Object.create(null)],
  ['an Error', new Error('x')],
  ['a clone of an Error', structuredClone(new Error('x'))],
  ['an abort', new DOMException('', 'AbortError')],
  ['a code', { code: 'timeout' }],
  ['a record without a message', { code: 'configuration', name: 'ConfigurationError' }],
  ['a record with the code of another class', { code: 'server', name: 'RateLimitError', message: 'x' }],
  ['a record with an unknown code', { code: 'rate_limit', name: 'RateLimitError', message: 'x' }],
  ['a record without a name', { code: 'rate_limit', message: 'x' }],
  ['a record with no code', { code: null, message: 'x' }],
  ['a message alone', { message: 'x' }],
  ['a record with an inherited name', { code: 'constructor', name: 'Object', message: 'x' }],
  ['an error of Stripe', Object.assign(new Error('x'), { name: 'StripeRateLimitError', code: 'rate_limit' })],
  ['an error of the system', Object.assign(new Error('x'), { code: 'ECONNREFUSED' })],
  ['an error whose code equals one', Object.assign(new Error('x'), { code: 'timeout' })],
  ['a class of another package with the same name', new ForeignServerError('x')],
  ['a frozen clone', Object.freeze(structuredClone(new RateLimitError('x', { status: 429 })))],
  ['a revoked proxy', revoked],
  ['a getter of the name that throws', throwing('name')],
  ['a getter of the code that throws', throwing('code')],
  ['a getter of the message that throws', throwing('message')],
])('refuses %s', (_title, value) => {
  expect([isMemoryApiError(value), isTransient(value)]).toEqual([false, false]);
});

test('recognises an error through a proxy, and across copies where instanceof fails', () => {
  // A status that cannot be read is not transient.
  expect(isTransient(throwing('status'))).toBe(false);
  expect(isMemoryApiError(new Proxy(new ConfigurationError('So it is.'), {}))).toBe(true);
  expect(otherCopy.filter((error) => (error as unknown) instanceof MemoryApiError)).toEqual([]);
});

test('the name stands in stack and text, does not depend on that of the class, and can be assigned and overridden', () => {
  const Minified = class a extends ConfigurationError {};
  const error = new Minified('So it is.');
  expect([error.name, String(error)]).toEqual(['ConfigurationError', 'ConfigurationError: So it is.']);
  expect(error.stack).toMatch(/^ConfigurationError: So it is\./);
  expect(Object.keys(error)).not.toContain('name');
  error.name = 'Mine';
  expect(String(error)).toBe('Mine: So it is.');
  expect(new ConfigurationError('So it is.').name).toBe('ConfigurationError');
  class Renamed extends ConfigurationError {
    override name = 'Renamed';
  }
  expect(String(new Renamed('So it is.'))).toBe('Renamed: So it is.');
});

test('an error without a cause or a request has no such fields', () => {
  const error = new ConfigurationError('So it is.');
  for (const field of ['cause', 'request', 'requestId']) expect(error).not.toHaveProperty(field);
});
