import { test } from 'vitest';
import { createTestStore } from '../../server/postgres/test-schema.ts';
import { checkHost } from './expect-conformance.ts';
import { serveStore } from './serve-store.ts';

test('the server over PostgreSQL keeps every rule and every decision', async () => {
  await using server = await serveStore(await createTestStore());
  await checkHost('postgres', server.url);
});
