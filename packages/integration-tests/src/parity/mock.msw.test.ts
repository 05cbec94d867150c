import { setupServer } from 'msw/node';
import { expect, onTestFinished, test } from 'vitest';
import { expectParity } from './expect-parity.ts';
import { createMockHost, createWorldMock } from './hosts/create-mock-host.ts';

test('mock.fetch returns the responses of the golden files', async () => {
  const mock = createWorldMock();
  await expectParity(createMockHost('mock.fetch', mock, mock.fetch));
});

test('mock.fetch below a path returns the same responses', async () => {
  const mock = createWorldMock('https://app.test/deep/api');
  await expectParity(createMockHost('mock.fetch below a path', mock, mock.fetch));
});

// The project msw-2 runs this file with the older major version of MSW.
test('the mock in MSW returns the responses of the golden files to a global fetch', async () => {
  const mock = createWorldMock();
  const server = setupServer(...mock.handlers);
  server.listen();
  onTestFinished(() => server.close());
  await expectParity(createMockHost('global fetch in MSW', mock, fetch));
  expect(mock.requests.length).toBeGreaterThan(400);
});
