import { createPostgresStore, migratePostgresStore } from '@memory-read/server/postgres';
import { onTestFinished, test } from 'vitest';
import { createTestSchema } from '../server/postgres/test-schema.ts';
import { expectParity } from './expect-parity.ts';
import { startServerHost } from './hosts/start-server-host.ts';

test('the server over PostgreSQL answers as the golden files have it', async () => {
  const schema = await createTestSchema();
  onTestFinished(schema.remove);
  const pool = schema.createPool();
  await migratePostgresStore({ pool });
  const host = await startServerHost('server over PostgreSQL', createPostgresStore({ pool }));
  onTestFinished(host.close);
  await expectParity(host);
});
