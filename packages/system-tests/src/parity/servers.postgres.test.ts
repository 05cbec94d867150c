import { onTestFinished, test } from 'vitest';
import { createTestStore } from '../server/postgres/test-schema.ts';
import { expectParity } from './expect-parity.ts';
import { startServerHost } from './hosts/start-server-host.ts';

test('the server over PostgreSQL answers as the golden files have it', async () => {
  const host = await startServerHost('server over PostgreSQL', await createTestStore());
  onTestFinished(host.close);
  await expectParity(host);
});
