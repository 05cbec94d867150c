import { test } from 'vitest';
import { createTestStore } from '../../server/postgres/test-schema.ts';
import { checkStore } from './expect-conformance.ts';

test('the server over PostgreSQL keeps every rule and every decision', async () => {
  await checkStore('postgres', await createTestStore());
});
