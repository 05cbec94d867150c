const { MemoryClient } = require('@memory-read/client');
const { setupMemoryMock } = require('@memory-read/msw/node');

const mock = setupMemoryMock();

test('a project with Jest in CommonJS works with the packed packages', async () => {
  const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, retries: 0 });
  expect(await client.listMemories()).toHaveLength(12);
  await expect(client.getMemory('mem_unknown')).rejects.toMatchObject({ code: 'not_found' });
});
