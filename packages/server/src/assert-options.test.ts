import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createInMemoryStore } from './adapters/in-memory/create-in-memory-store.ts';
import { createMemoryApi } from './create-memory-api.ts';
import { createFakeClock } from './testing/create-fake-clock.ts';
import type { StoreCase } from './testing/store-case.ts';
import { createRecord } from './testing/test-records.ts';

type Values = Record<string, unknown>;
type Entry = (...parameters: unknown[]) => unknown;

/** How plain JavaScript may call an export, and with what it must not. */
interface Row {
  /** Names of the parameters. Without them, the values are the one parameter. */
  parameters?: string[];
  /** Values with which the call works. */
  required: Values;
  /** Values that the call can do without. */
  optional?: Values;
  /** Values of no such kind that are right all the same. */
  accepts?: unknown[];
}

const folder = mkdtempSync(join(tmpdir(), 'assert-options-'));
afterAll(() => rmSync(folder, { recursive: true }));
const store = createInMemoryStore();
const clock = createFakeClock(0);
const run = () => {};
const secrets = [{ id: 'one', secret: 'x'.repeat(16) }];
const pool = {
  query: async () => ({ rows: [] }),
  connect: () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })),
};
const create = async () => ({ store, seed: async () => {}, close: async () => {} });
const memory = { started_at: '2026-01-01T00:00:00Z', id: 'one' };

const rows: Record<string, Row> = {
  apiKeyAuthenticator: {
    ...{ parameters: ['keys', 'options'], required: { keys: store }, optional: { options: { clock } }, accepts: [{}] },
  },
  apiKeyStoreCases: { parameters: ['create'], required: { create } },
  checkPostgresSchema: { required: { pool } },
  compareMemories: { parameters: ['a', 'b'], required: { a: memory, b: memory } },
  countLostDigits: { parameters: ['record'], required: { record: createRecord({ id: 'one' }) }, accepts: [{}] },
  createDirectoryMediaSource: { required: { path: folder } },
  createFakeClock: { parameters: ['start'], required: { start: 0 }, accepts: [-1, 1.5] },
  createHmacMediaSigner: { required: { baseUrl: 'https://media.test', secrets } },
  createMediaHost: {
    required: { source: { open: run }, secrets },
    optional: { clock, onError: run, onRefuse: run, cors: { origins: [] } },
    accepts: [true],
  },
  createMemoryApi: {
    required: { store, authenticate: run, mediaSigner: { sign: run } },
    optional: { clock, onError: run, onRequest: run },
  },
  createPostgresStore: { required: { pool }, optional: { statementTimeout: 1 } },
  createS3MediaSigner: {
    required: {
      ...{ endpoint: 'https://s3.test.example', region: 'auto', bucket: 'media' },
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    },
    optional: { clock, onShortCredentials: run },
  },
  hashApiKey: { parameters: ['key'], required: { key: 'mrk_1' } },
  memoryStoreAdminCases: { parameters: ['create'], required: { create } },
  memoryStoreCases: { parameters: ['create'], required: { create } },
  migratePostgresStore: { required: { pool } },
  openSqliteStore: { required: { path: join(folder, 'store.sqlite') } },
  serve: {
    required: { fetch: run, port: 0 },
    optional: {
      ...{ hostname: '127.0.0.1', trustedProxies: [], onError: run, onEnd: run },
      ...{ requestTimeout: 1, sendTimeout: 1, closeTimeout: 1, maxConnections: 1, maxPipelined: 1 },
    },
    accepts: [[]],
  },
  toStoreHarness: { parameters: ['store', 'close'], required: { store }, optional: { close: run } },
  toStoredMemory: {
    parameters: ['userId', 'record'],
    required: { userId: 'ada', record: createRecord({ id: 'one' }) },
  },
  watchPostgresReplicas: {
    required: { primary: pool, replicas: [{ name: 'one', pool }] },
    optional: { maxLag: 500, maxOutage: 1, fallbackReads: 1, onChange: run },
  },
};

const withoutArguments = ['createApiKey', 'createInMemoryStore'];
const wrongValues = [undefined, null, 5, -1, 1.5, 65_536, Number.NaN, 'text', true, {}, [], [null], [{}]];

/** All functions and classes that the entries of the package export. */
const exported: Record<string, unknown> = {};
const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
for (const targets of Object.values<Record<string, string>>(manifest.exports)) {
  const source = targets['@memory-read/source'];
  if (source !== undefined) Object.assign(exported, await import(join(import.meta.dirname, '..', source)));
}
const entryOf = (name: string) => exported[name] as Entry;
const isError = (name: string) => name.endsWith('Error');

/** Calls an export with the values of its row, some of them changed. */
function call(name: string, changes: Values): unknown {
  const { parameters, required, optional } = rows[name] ?? expect.unreachable(`${name} has no row`);
  const values = { ...required, ...optional, ...changes };
  return entryOf(name)(...(parameters ? parameters.map((parameter) => values[parameter]) : [values]));
}

async function failureOf(run: () => unknown): Promise<unknown> {
  try {
    const result = await run();
    return ['the call succeeds', result];
  } catch (error) {
    return error;
  }
}

/** A message of the engine or of a library says neither what failed nor what to do. */
const refusal = expect.objectContaining({
  message: expect.stringMatching(/^Failed to [^:]+: (?!Cannot ).+\. [A-Z].+\.$/s),
});

const isRight = (value: unknown, valid: unknown, { accepts = [] }: Row) => {
  const isAlike = typeof value === typeof valid && typeof value !== 'object';
  return (isAlike && !isWrongNumber(value)) || accepts.some((right) => JSON.stringify(right) === JSON.stringify(value));
};
const isWrongNumber = (value: unknown) => typeof value === 'number' && !(Number.isInteger(value) && value >= 0);

test('every export that takes arguments has a row here', () => {
  const functions = Object.keys(exported).filter((name) => typeof exported[name] === 'function' && !isError(name));
  expect(functions.sort()).toEqual([...Object.keys(rows), ...withoutArguments].sort());
});

test.each(Object.keys(rows))('%s accepts the values of its row', async (name) => {
  const result = await failureOf(() => call(name, {}));
  expect(result).not.toBeInstanceOf(TypeError);
  expect(result).not.toBeInstanceOf(RangeError);
  const [, created] = Array.isArray(result) ? result : [];
  await (created as { close?: () => Promise<void> } | undefined)?.close?.();
});

test.each(Object.keys(rows))('%s explains a first argument that is wrong', async (name) => {
  const row = rows[name] ?? expect.unreachable();
  const valid = row.parameters ? row.required[row.parameters[0] ?? ''] : row.required;
  for (const value of wrongValues) {
    if (isRight(value, valid, row)) continue;
    expect(await failureOf(() => entryOf(name)(value)), `${name}(${JSON.stringify(value)})`).toEqual(refusal);
  }
  expect(await failureOf(() => entryOf(name)()), `${name}()`).toEqual(refusal);
});

test.each(Object.keys(rows))('%s explains each value that is missing or of the wrong type', async (name) => {
  const row = rows[name] ?? expect.unreachable();
  for (const [option, valid] of Object.entries({ ...row.required, ...row.optional })) {
    const wrong = wrongValues.filter((value) => !isRight(value, valid, row));
    for (const value of wrong) {
      if (value === undefined && !(option in row.required)) continue;
      const title = `${option}: ${JSON.stringify(value)} of ${name}`;
      expect(await failureOf(() => call(name, { [option]: value })), title).toEqual(refusal);
    }
  }
});

test('the errors can be created without arguments, or explain what is missing', async () => {
  for (const name of Object.keys(exported).filter(isError)) {
    const Class = exported[name] as new (...parameters: unknown[]) => Error;
    const failure = await failureOf(() => new Class('code'));
    if (failure instanceof Error) expect(failure).toEqual(refusal);
  }
});

test('a case of a store explains what its harness lacks', async () => {
  for (const harness of [undefined, {}, { store }, { store, seed: run }, { seed: run, close: run }]) {
    const [first] = entryOf('memoryStoreCases')(async () => harness) as StoreCase[];
    expect(await failureOf(() => first?.run())).toEqual(refusal);
  }
});

test('a media secret explains its place, and is not repeated', async () => {
  for (const secret of [null, 5, 'hidden', { id: 'one' }, { secret: 'hidden' }, { id: 'two', secret: 5e20 }]) {
    const failure = await failureOf(() => call('createMediaHost', { secrets: [...secrets, secret] }));
    expect(String(failure)).toMatch(/^TypeError: Failed to prepare media secret 2: (id|secret) is not a string\./);
    expect(String(failure)).not.toContain('hidden');
  }
});

test.each([
  ['authenticate', undefined],
  ['store.listMemories', { store: null }],
  ['clock.now', { clock: Date.now }],
  ['createRequestId', { createRequestId: 'req_1' }],
])('rejects an API at once if %s is not a function', (missing, changes) => {
  const message = `Failed to create the API: ${missing} is not a function. Pass { store, authenticate, mediaSigner }.`;
  expect(() => createMemoryApi((changes && { ...rows.createMemoryApi?.required, ...changes }) as never)).toThrow(
    new TypeError(message),
  );
});
