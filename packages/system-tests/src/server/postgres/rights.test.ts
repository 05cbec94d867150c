import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiKey } from '@memory-read/server';
import { checkPostgresSchema, createPostgresStore, migratePostgresStore } from '@memory-read/server/postgres';
import { listAll } from '@memory-read/test-kit/memory-service';
import { createTestSchema } from '@memory-read/test-kit/postgres/test-schema';
import { root } from '@memory-read/test-kit/repository';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';

const guide = readFileSync(join(root, 'docs/guides/postgresql.md'), 'utf8');

test('the rights of the guide suffice for a server and a writer, and a missing one names its table', async () => {
  const schema = await createTestSchema();
  const owner = schema.createPool();
  await migratePostgresStore({ pool: owner });
  // Roles belong to all databases of the server.
  const own = (text: string) => text.replaceAll(/memories_(?=server|writer)/g, `${schema.name}_`);
  const [statements = ''] = /CREATE ROLE[^`]+;(?=\nSQL)/.exec(guide) ?? [];
  await owner.query(own(statements));
  const as = async (role: string) => {
    await owner.query(`GRANT USAGE ON SCHEMA ${schema.name} TO ${role}`);
    const pool = schema.createPool({ connectionString: schema.url.replace('postgres@', `${role}@`) });
    return { pool, store: createPostgresStore({ pool, name: 'db' }) };
  };

  const writer = await as(own('memories_writer'));
  await migratePostgresStore({ pool: writer.pool });
  const { key, ...apiKey } = createApiKey();
  await writer.store.putAccount({ userId: 'ada' });
  await writer.store.putApiKey({ ...apiKey, userId: 'ada' });
  await writer.store.putMemories('ada', [sampleRecord({ id: 'mem_1' }), sampleRecord({ id: 'mem_2' })]);
  expect(await writer.store.deleteMemory('ada', 'mem_2')).toBe(true);

  const server = await as(own('memories_server'));
  await migratePostgresStore({ pool: server.pool });
  await checkPostgresSchema({ pool: server.pool });
  expect(await server.store.findApiKey(apiKey.keyHash)).toMatchObject({ userId: 'ada' });
  expect(await listAll(server.store, 'ada')).toHaveLength(1);
  expect(await server.store.getMemory({ userId: 'ada', memoryId: 'mem_1' })).toMatchObject({ id: 'mem_1' });
  await expect(server.store.revokeApiKey(apiKey.keyId)).rejects.toMatchObject({
    code: 'not_permitted',
    message:
      'Failed to use db: the user lacks a privilege (permission denied for table api_keys). Grant it, or use another user.',
  });
  await owner.query('DROP TABLE memory_read_versions, memories, api_keys, accounts');
  await expect(migratePostgresStore({ pool: server.pool })).rejects.toMatchObject({
    code: 'not_permitted',
    message: expect.stringContaining('its tables are missing, and the user may not create them (permission denied '),
  });
});
