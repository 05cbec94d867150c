import { setupServer } from 'msw/node';
import { onTestFinished, test } from 'vitest';
import { expectParity } from './expect-parity.ts';
import { createMockHost } from './hosts/create-mock-host.ts';

test('mock.fetch returns the responses of the golden files', async () => {
  await expectParity(createMockHost('mock.fetch', (mock) => mock.fetch));
});

// The project msw-2 runs this file with the older major version of MSW.
test('the mock in MSW returns the responses of the golden files to a global fetch', async () => {
  const host = createMockHost('global fetch in MSW', (mock) => {
    const server = setupServer(...mock.handlers);
    server.listen();
    onTestFinished(() => server.close());
    return fetch;
  });
  await expectParity(host);
});
