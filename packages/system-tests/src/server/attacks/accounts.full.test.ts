import { MemoryClient } from '@memory-read/client';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { forgedRecord, startTwoAccounts } from './start-two-accounts.ts';

test('an import cannot take over the id of another account', async () => {
  const { store, get, keys } = await startTwoAccounts();
  const before = await (await get(keys.ada, '/v1/memories')).json();
  for (const records of [
    [forgedRecord()],
    [sampleRecord({ id: 'mem_new' }), forgedRecord()],
    [forgedRecord(), sampleRecord({ id: 'mem_new' })],
    [{ ...forgedRecord(), user_id: 'user_ada' }],
    [{ ...forgedRecord(), user_id: 'user_eve' }],
  ]) {
    const { code, stderr } = await store('user_eve', records);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Failed to import standard input: .+\n$/)]);
  }
  const after = await (await get(keys.ada, '/v1/memories')).json();
  expect(after.map(({ name }: { name: string }) => name)).toEqual(before.map(({ name }: { name: string }) => name));
  expect(await (await get(keys.eve, '/v1/memories')).json()).toHaveLength(1);
  expect(await (await get(keys.eve, '/v1/memories/mem_of_ada')).json()).toEqual({ detail: 'Memory not found' });
});

test('while both accounts are written to, every read has memories of its own account only', async () => {
  const { store, get, keys } = await startTwoAccounts();
  const write = async (userId: string, prefix: string) => {
    for (let round = 0; round < 4; round += 1) {
      const records = Array.from({ length: 300 }, (_, index) =>
        sampleRecord({ id: `${prefix}${index}`, name: prefix }),
      );
      expect((await store(userId, records)).code).toBe(0);
    }
  };
  let isWriting = true;
  let reads = 0;
  const read = async (key: string, own: string) => {
    while (isWriting) {
      for (const memory of await (await get(key, '/v1/memories')).json()) expect(memory.user_id).toBe(own);
      const other = own === 'user_ada' ? 'eve_7' : 'ada_7';
      expect((await get(key, `/v1/memories/${other}`)).status).toBe(404);
      reads += 1;
    }
  };
  const readers = [read(keys.ada, 'user_ada'), read(keys.eve, 'user_eve'), read(keys.eve, 'user_eve')];
  await Promise.all([write('user_ada', 'ada_'), write('user_eve', 'eve_')]).finally(() => {
    isWriting = false;
  });
  await Promise.all(readers);
  expect(reads).toBeGreaterThan(3);
});

const hostileTexts = {
  'the end of a string': '","id":"mem_of_ada","x":"',
  'the end of an object': '"}},{"id":"forged","user_id":"user_ada"},{"a":{"b":"',
  'the end of a list': '"}]HTTP/1.1 200 OK\r\n\r\n[{"a":"',
  backslashes: '\\\\\\"\\',
  'an escape that JSON does not have': '\\x41\\',
  'line separators of JavaScript': 'a\u2028b\u2029c',
  'the end of a script': '</script><script>alert(1)</script>',
  'control characters': '\u0000\u0001\b\f\n\r\t\u001b[2J\u007f\u0085',
  'a lone surrogate': 'a\ud800b',
  'a pair of surrogates': '🗝',
  'the name that every object has': '__proto__',
  'the end of a statement of SQL': `'); DROP TABLE memories; --`,
  'the end of a chunk': '0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
};

test(`${Object.keys(hostileTexts).length} hostile texts stay texts, in the list and in the memory`, async () => {
  const { store, get, keys } = await startTwoAccounts();
  const stored: string[] = [];
  for (const [name, text] of Object.entries(hostileTexts)) {
    const id = `mem_${stored.length}`;
    const speech = { speaker: text, start_at: '2026-03-01T09:00:01.000Z', end_at: '2026-03-01T09:00:02.000Z', text };
    const record = sampleRecord({
      ...{ id, name: text, transcript: { segments: [speech] } },
      summary: { quick_summary: text, key_takeaways: [text, text] },
    });
    const { code, stderr } = await store('user_eve', [record]);
    expect(stderr, name).toMatch(code === 0 ? /^$/ : /^Failed to import standard input: line 1: .+\n$/);
    if (code !== 0) continue;
    stored.push(id);
    const memory = await (await get(keys.eve, `/v1/memories/${id}`)).json();
    expect(memory, name).toMatchObject({ name: text, summary: record.summary, transcript: record.transcript });
    expect(Object.keys(memory), name).toEqual(
      Object.keys(await (await get(keys.eve, '/v1/memories/mem_of_eve')).json()),
    );
  }
  // What is not stored was refused with its line.
  expect(stored.length).toBeGreaterThanOrEqual(Object.keys(hostileTexts).length - 2);
  const memories = await (await get(keys.eve, '/v1/memories')).json();
  expect(memories.map(({ id }: { id: string }) => id).sort()).toEqual([...stored, 'mem_of_eve'].sort());
});

test('names that every object has reach no prototype, as fields, ids, accounts and keys', async () => {
  const { store, get, keys, baseUrl } = await startTwoAccounts();
  const line = JSON.stringify(sampleRecord({ id: 'constructor' }));
  const polluted = `${line.slice(0, -1)},"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}`;
  await store('user_eve', [JSON.parse(polluted)]);
  const client = new MemoryClient({ baseUrl, apiKey: keys.eve });
  for (const id of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '%5F_proto__']) {
    const answer = await get(keys.eve, `/v1/memories/${id}`);
    expect([200, 404], id).toContain(answer.status);
    expect(JSON.stringify(await answer.json())).not.toContain('polluted');
    expect((await get(id, '/v1/memories')).status, id).toBe(401);
  }
  await client.listMemories();
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
