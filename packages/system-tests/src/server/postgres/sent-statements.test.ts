import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPostgresStore, migratePostgresStore, type PostgresPool } from '@memory-read/server/postgres';
import { apiKeyStoreCases, memoryStoreAdminCases, memoryStoreCases, toStoreHarness } from '@memory-read/server/testing';
import { createTestSchema } from '@memory-read/test-kit/postgres/test-schema';
import { root } from '@memory-read/test-kit/repository';
import { expect, test } from 'vitest';

test('the guide to distributed databases has every statement that the suites for stores send', async () => {
  const guide = readFileSync(join(root, 'docs/guides/distributed-databases.md'), 'utf8');
  const [, table = ''] = guide.split('## Every statement');
  const documented = Array.from(table.matchAll(/^\| `(.+?)` \|/gm), ([, sql = '']) => sql);
  const sent = new Set<string>();
  for (const cases of [memoryStoreCases, memoryStoreAdminCases, apiKeyStoreCases]) {
    for (const { run } of cases(() => createHarness(sent))) await run();
  }
  expect(Array.from(sent).filter((sql) => !documented.includes(sql))).toEqual([]);
  const unsent = documented.filter((sql) => !sent.has(sql));
  expect(unsent.filter((sql) => !/^(ALTER TABLE|WITH portion|SELECT compatible_since)/.test(sql))).toEqual([]);
});

/** A store in a new schema, whose pool records each statement in the form of the guide. */
async function createHarness(sent: Set<string>) {
  const pool = (await createTestSchema()).createPool();
  const record = (text: string) => {
    sent.add(
      text
        .replace(/\s+/g, ' ')
        .replaceAll('( ', '(')
        .replaceAll(' )', ')')
        .replaceAll(' COLLATE "C"', '')
        .replace(/(INTO memories .* VALUES \([^)]*\))(, \([^)]*\))*/, '$1')
        .trim(),
    );
  };
  const recording: PostgresPool = {
    query(text, values) {
      record(text);
      return pool.query(text, values);
    },
    async connect() {
      const connection = await pool.connect();
      return {
        query(text, values) {
          record(text);
          return connection.query(text, values);
        },
        release: (destroy) => connection.release(destroy),
        on: (event, listener) => connection.on(event, listener),
        removeListener: (event, listener) => connection.removeListener(event, listener),
      };
    },
  };
  await migratePostgresStore({ pool: recording });
  return toStoreHarness(createPostgresStore({ pool: recording }));
}
