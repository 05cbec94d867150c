import { apiKeyAuthenticator, createApiKey, createMemoryApi } from '@memory-read/server';
import { createPostgresStore, migratePostgresStore, type PostgresPool } from '@memory-read/server/postgres';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { beforeEach, expect, test } from 'vitest';
import { createTestSchema, type TestSchema } from './test-schema.ts';

let schema: TestSchema;

beforeEach(async () => {
  schema = await createTestSchema();
  return () => schema.remove();
});

test('looking for a memory of another account is the same statements as for none, and the same answer', async () => {
  const { answerFor, sent, memoryIds } = await setUp();
  const works = [];
  for (const memoryId of memoryIds) {
    sent.length = 0;
    const answer = await answerFor(memoryId);
    const values = sent.map((statement) => statement.values.map((value) => (value === memoryId ? 'the id' : value)));
    works.push({ ...answer, texts: sent.map(({ text }) => text), values });
  }
  const [ofAnother, unknown, ofNobody] = works;
  expect(unknown).toEqual(ofAnother);
  expect(ofNobody).toEqual(ofAnother);
  expect(ofAnother).toMatchObject({ status: 404, body: '{"detail":"Memory not found"}' });
  expect(ofAnother?.texts).toHaveLength(2);
});

/** An API of ada, and what its requests ask of PostgreSQL. */
async function setUp() {
  const pool = schema.createPool();
  await migratePostgresStore({ pool });
  const sent: { text: string; values: unknown[] }[] = [];
  const counting: PostgresPool = {
    query(text, values = []) {
      sent.push({ text, values });
      return pool.query(text, values);
    },
    connect() {
      sent.push({ text: 'a connection of its own', values: [] });
      return pool.connect();
    },
  };
  const store = createPostgresStore({ pool: counting });
  const { key, keyId, keyHash } = createApiKey();
  for (const userId of ['ada', 'grace']) await store.putAccount({ userId });
  await store.putApiKey({ keyId, keyHash, userId: 'ada' });
  await store.putMemories('grace', [sampleRecord({ id: 'of grace' })]);
  const mediaSigner = { sign: () => expect.unreachable() };
  const api = createMemoryApi({ store, authenticate: apiKeyAuthenticator(store), mediaSigner });
  const headers = { 'x-api-key': key, 'x-request-id': 'same' };
  return {
    sent,
    memoryIds: ['of grace', 'of nobody', '\u{10ffff}'],
    async answerFor(memoryId: string) {
      const url = `http://localhost/v1/memories/${encodeURIComponent(memoryId)}`;
      const response = await api.fetch(new Request(url, { headers }));
      return { status: response.status, headers: [...response.headers], body: await response.text() };
    },
  };
}
