import { MemoryClient } from '@memory-read/client';
import { openMirror } from '@memory-read/mirror';
import { createMemoryMock } from '@memory-read/msw/fetch';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { createLiveSource } from '../sources/create-live-source.ts';
import { createMirrorSource } from '../sources/create-mirror-source.ts';
import { assistantOf, openAssistant } from '../testing/open-assistant.ts';
import { serveMcpHttp } from './serve-mcp-http.ts';

test('one story over HTTP: quote, name, find by name, verify the old receipt, and see each change of the names at once', async () => {
  const mock = createMemoryMock({ memories: [] });
  const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
  const started_at = '2026-01-01T10:00:00.000Z';
  const said = (at: number, speaker: string, text: string) => ({
    speaker,
    start_at: new Date(Date.parse(started_at) + at * 1_000).toISOString(),
    end_at: new Date(Date.parse(started_at) + (at + 4) * 1_000).toISOString(),
    text,
  });
  const segments = [
    said(0, 'Speaker 2', 'When is the teal door done?'),
    said(5, 'Speaker 1', 'I promise it by Friday.'),
  ];
  mock.memories.add({ id: 'mem_1', name: 'Stand-up', started_at, summary: null, transcript: { segments } });
  const folder = makeFolder();
  const mirror = await openMirror({ folder });
  await mirror.sync(client);
  // Assistants read the folder in a process of their own.
  const opened = await openMirror({ folder, readOnly: true });
  const server = await serveMcpHttp({ source: createMirrorSource(opened) });
  const connected = new Client({ name: 'test', version: '0.0.0' });
  await connected.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  const call = async (name: string, input: Record<string, unknown>) => {
    const { isError, text, content } = await assistantOf(connected).call(name, input);
    expect(isError, text).toBe(false);
    return content;
  };
  const peopleOf = async () => (await call('list_memories', {})).memories[0].people;

  const ofFriday = { query: 'promise', speaker: 'ada' };
  expect(await call('search', ofFriday)).toMatchObject({ results: [] });
  const { receipt } = (await call('search', { query: 'promise' })).results[0];
  await mirror.people.name('mem_1', 'Speaker 1', 'Ada Lovelace', { me: true });
  await mirror.people.name('mem_1', 'Speaker 2', 'Grace');

  const [hit] = (await call('search', ofFriday)).results;
  expect(hit).toMatchObject({ id: 'mem_1', segment: 1, person: 'Ada Lovelace', receipt: { speaker: 'Speaker 1' } });
  expect({ ...hit.receipt, read_at: '' }).toEqual({ ...receipt, read_at: '' });
  const { metadata } = await call('fetch', { id: 'mem_1' });
  expect(metadata).toMatchObject({ people: { 'Speaker 1': 'Ada Lovelace', 'Speaker 2': 'Grace' }, me: 'Ada Lovelace' });
  expect(await peopleOf()).toEqual(['Grace', 'Ada Lovelace']);
  const unknown = await call('search', { query: 'promise', speaker: 'Adda' });
  expect(unknown).toMatchObject({ results: [], speakers: [{ memories: 0 }], people: ['Ada Lovelace', 'Grace'] });
  expect(await call('search', { query: 'zebra', speaker: 'Ada' })).not.toHaveProperty('people');
  expect(await call('verify_quote', { receipt })).toMatchObject({
    status: 'valid',
    people: { 'Speaker 1': 'Ada Lovelace' },
  });
  const overApi = await openAssistant({ source: createLiveSource(client) });
  const { content } = await overApi.call('verify_quote', { receipt: hit.receipt });
  expect(content).toMatchObject({ status: 'valid', whole: true });
  expect(content).not.toHaveProperty('people');

  await mirror.people.rename('Ada Lovelace', 'Ada King');
  expect(await peopleOf()).toEqual(['Grace', 'Ada King']);
  await mirror.people.merge('Ada King', 'Grace');
  expect(await peopleOf()).toEqual(['Grace']);
  expect((await call('search', { query: 'promise', speaker: 'grace' })).results).toHaveLength(1);
  expect(await call('verify_quote', { receipt })).toMatchObject({ status: 'valid', people: { 'Speaker 1': 'Grace' } });
  await mirror.people.undo();
  await mirror.people.unname('mem_1', 'Speaker 1');
  expect(await peopleOf()).toEqual(['Grace']);
  expect((await call('search', ofFriday)).results).toEqual([]);
  const after = await call('verify_quote', { receipt });
  expect(after.status).toBe('valid');
  expect(after).not.toHaveProperty('people');

  await connected.close();
  await overApi.client.close();
  await server.close();
  await opened.close();
  await mirror.close();
});
