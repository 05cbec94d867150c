import { expectParity } from '@memory-read/integration-tests/parity/expect-parity';
import { startServerHost } from '@memory-read/integration-tests/parity/hosts/start-server-host';
import { createTestStore } from '@memory-read/test-kit/postgres/test-schema';
import { onTestFinished, test } from 'vitest';

test('the server over PostgreSQL answers as the golden files have it', async () => {
  const host = await startServerHost('server over PostgreSQL', await createTestStore());
  onTestFinished(host.close);
  await expectParity(host);
});
