import { MemoryClient } from '@memory-read/client';
import { createMemoryMock } from '@memory-read/msw/fetch';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { toolsFactory } from './create-tools.ts';

test('the tool of the app stands beside those of the package', async () => {
  const { baseUrl, apiKey, fetch, memories } = createMemoryMock({ memories: [] });
  const { id } = memories.add({ id: 'mem 1', name: 'Stand-up' });
  const createTools = toolsFactory(new MemoryClient({ baseUrl, apiKey, fetch }), { 'mem 1': { 'Speaker 1': 'Ada' } });
  const [here, there] = InMemoryTransport.createLinkedPair();
  const assistant = new Client({ name: 'test', version: '0.0.0' });
  await Promise.all([createTools().connect(there), assistant.connect(here)]);

  const { tools } = await assistant.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['search', 'fetch', 'list_memories', 'verify_quote', 'who_is']);
  const list = await assistant.callTool({ name: 'list_memories', arguments: {} });
  expect(list.structuredContent).toMatchObject({ memories: [{ id: 'mem%201', url: 'https://app.example/mem%201' }] });
  const answer = await assistant.callTool({
    name: 'who_is',
    arguments: { id: encodeURIComponent(id), speaker: 'Speaker 1' },
  });
  expect(answer.content).toEqual([{ type: 'text', text: '{"name":"Ada"}' }]);
  await assistant.close();
});
