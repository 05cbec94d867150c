import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MemoryClient } from '@memory-read/client';
import { migratePostgresStore } from '@memory-read/server/postgres';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { createTestSchema } from '@memory-read/test-kit/postgres/test-schema';
import { root } from '@memory-read/test-kit/repository';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { endOf } from '@memory-read/test-kit/start-process';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { untilReady } from '../serving/start-serve.ts';

// See "Recipe: change the database schema" in CONTRIBUTING.md.
const installed = join(import.meta.dirname, '../../../node_modules/previous-release');
const isReleased = existsSync(installed);
const previous = isReleased ? realpathSync(installed) : join(root, 'packages', 'cli');
const program = join(previous, 'dist', 'main.js');

/** A database that both releases use. */
interface Database {
  /** Options of the command line. */
  options: string[];
  /** Migrates it with the software of this repository, and then with these statements to the next version. */
  migrate(further?: Migration): Promise<void>;
}

interface Migration {
  sql: string;
  /** Whether the software before supports the new schema. */
  isCompatible: boolean;
}

const expansion: Migration = {
  sql: `ALTER TABLE memories ADD COLUMN mood TEXT;
    ALTER TABLE accounts ADD COLUMN plan TEXT NOT NULL DEFAULT 'free';
    ALTER TABLE api_keys ADD COLUMN nickname TEXT NOT NULL DEFAULT 'none';
    CREATE TABLE tags (memory_id TEXT PRIMARY KEY, tag TEXT NOT NULL);
    CREATE INDEX memories_by_mood ON memories (user_id, mood);`,
  isCompatible: true,
};
// Every statement of the old software still succeeds, so that only the version differs.
const changeOfMeaning: Migration = { sql: 'CREATE TABLE summaries (memory_id TEXT PRIMARY KEY);', isCompatible: false };

describe.each([
  ['SQLite', createSqliteDatabase],
  ['PostgreSQL', createPostgresDatabase],
])('the previous release on a newer schema of %s', (_, create) => {
  let database: Database;
  beforeEach(async () => {
    database = await create();
    await importMemory(database, 'before');
  });

  test('that is expanded reads and writes, also while it runs', async () => {
    const apiKey = await createKey(database);
    const { baseUrl } = await serve(database);
    const client = new MemoryClient({ baseUrl, apiKey });
    const ids = async () => (await client.listMemories()).map(({ id }) => id).sort();
    expect(await ids()).toEqual(['before']);
    await database.migrate(expansion);
    expect(await ids()).toEqual(['before']);
    expect((await client.getMemory('before')).id).toBe('before');
    await importMemory(database, 'after');
    expect(await ids()).toEqual(['after', 'before']);
    await untilReadiness(baseUrl, 200);
    const later = new MemoryClient({ baseUrl: (await serve(database)).baseUrl, apiKey: await createKey(database) });
    expect(await later.listMemories()).toHaveLength(2);
  });

  test('that is not compatible is refused at the start, and ends the readiness of a running server', async () => {
    const { baseUrl, log } = await serve(database);
    await untilReadiness(baseUrl, 200);
    await database.migrate(changeOfMeaning);
    await untilReadiness(baseUrl, 503);
    expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200);
    const reason = /its schema has version \d+, but this software supports only \d+\. Update the software\./;
    expect(log()).toMatch(reason);
    for (const args of [serveArguments, ['keys', 'list']]) {
      const { code, stderr } = await run([...args, ...database.options]);
      expect([code, stderr]).toEqual([1, expect.stringMatching(reason)]);
    }
  });

  // Without a previous release, its schema is that of this repository.
  if (isReleased)
    test('that is the one of this repository reads and writes, or is refused', async () => {
      const { baseUrl } = await serve(database);
      await database.migrate();
      const { code, stderr } = await run(['keys', 'list', ...database.options]);
      if (code === 0) {
        await importMemory(database, 'after');
        await untilReadiness(baseUrl, 200);
      } else {
        expect(stderr).toContain('Update the software.');
        await untilReadiness(baseUrl, 503);
      }
    });
});

const serveArguments = ['serve', '--port', '0', '--media-secrets', 'env:MEDIA_SECRETS'];
const env = {
  ...process.env,
  MEDIA_SECRETS: JSON.stringify([{ id: 'a', secret: 'thirty-two-bytes-that-none-guess' }]),
};

async function createSqliteDatabase(): Promise<Database> {
  const path = join(makeFolder(), 'memories.sqlite');
  return {
    options: ['--db', path],
    async migrate(further) {
      await openSqliteStore({ path }).close();
      if (!further) return;
      const connection = new DatabaseSync(path);
      const version = Number(connection.prepare('PRAGMA user_version').get()?.user_version);
      const since = further.isCompatible ? version : version + 1;
      connection.exec(`BEGIN IMMEDIATE; ${further.sql} INSERT INTO memory_read_versions VALUES (${version + 1}, ${since});
        PRAGMA user_version = ${version + 1}; COMMIT`);
      connection.close();
    },
  };
}

async function createPostgresDatabase(): Promise<Database> {
  const schema = await createTestSchema();
  const pool = schema.createPool();
  return {
    options: ['--postgres', schema.url],
    async migrate(further) {
      await migratePostgresStore({ pool });
      if (!further) return;
      await pool.query(`${further.sql} INSERT INTO memory_read_versions
        SELECT max(version) + 1, max(version) + ${further.isCompatible ? 0 : 1} FROM memory_read_versions`);
    },
  };
}

async function importMemory({ options }: Database, id: string): Promise<void> {
  const record = JSON.stringify(sampleRecord({ id }));
  expect(await run(['import', '-', '--account', 'user_1', ...options], record)).toMatchObject({ code: 0 });
}

async function createKey({ options }: Database): Promise<string> {
  return JSON.parse((await run(['keys', 'create', '--account', 'user_1', ...options])).stdout).apiKey;
}

function run(args: readonly string[], input?: string) {
  return endOf(spawn(process.execPath, [program, ...args], { env }), input);
}

async function serve({ options }: Database): Promise<{ baseUrl: string; log(): string }> {
  const child = spawn(process.execPath, [program, ...serveArguments, ...options], { env, cwd: makeFolder() });
  let log = '';
  child.stderr.on('data', (chunk) => (log += chunk));
  const { baseUrl, close } = await untilReady(child);
  onTestFinished(close);
  return { baseUrl, log: () => log };
}

/** A success counts for a second, so the change is visible after it. */
async function untilReadiness(baseUrl: string, status: number): Promise<void> {
  await expect.poll(async () => (await fetch(`${baseUrl}/readyz`)).status).toBe(status);
}
