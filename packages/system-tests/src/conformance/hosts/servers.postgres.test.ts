import { createTestStore } from '@memory-read/test-kit/postgres/test-schema';
import { test } from 'vitest';
import { checkStore } from './expect-conformance.ts';

test('the server over PostgreSQL keeps every rule and every decision', async () => {
  await checkStore('postgres', await createTestStore());
});
