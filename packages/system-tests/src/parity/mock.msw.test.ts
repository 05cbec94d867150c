import { setupServer } from 'msw/node';
import { expect, onTestFinished, test } from 'vitest';
import { expectParity } from './expect-parity.ts';
import { createMockHost, createWorldMock } from './hosts/create-mock-host.ts';

test('mock.fetch answers as the golden files have it', async () => {
  const mock = createWorldMock();
  await expectParity(createMockHost('mock.fetch', mock, mock.fetch));
});

test('mock.fetch below a path answers alike', async () => {
  const mock = createWorldMock('https://app.test/deep/api');
  await expectParity(createMockHost('mock.fetch below a path', mock, mock.fetch));
});

// The project msw-2 runs this file with the older major version of MSW.
test('the mock in MSW answers a global fetch as the golden files have it', async () => {
  const mock = createWorldMock();
  const server = setupServer(...mock.handlers);
  server.listen();
  onTestFinished(() => server.close());
  await expectParity(createMockHost('global fetch in MSW', mock, fetch));
  expect(mock.requests.length).toBeGreaterThan(400);
});
