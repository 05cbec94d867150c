import { expect, test } from 'vitest';
import { serveAccount } from '../testing/serve-account.ts';
import { TestProcess } from '../testing/test-process.ts';
import { withWholeId } from './complete-id.ts';

const ids = ['mem_a', 'mem_ab1', 'mem_ab2', 'mem_c1', 'mem_ab3', 'mem_ab4', 'mem_ab5', 'mem_ab6'];

test('prefers an exact id to longer ones, with one request', async () => {
  const account = await accountOn({ isTerminal: true });
  expect(await get(account, 'mem_a')).toBe('mem_a');
  expect(account.requests).toHaveLength(1);
});

test('uses and prints the only id with the prefix on a terminal, with three requests', async () => {
  const account = await accountOn({ isTerminal: true });
  expect(await get(account, 'mem_c')).toBe('mem_c1');
  expect(account.noted()).toBe('Using mem_c1.\n');
  expect(account.requests).toHaveLength(3);
});

test.each([
  [{ isTerminal: false }, {}],
  [{ isTerminal: true }, { quiet: true }],
])('rejects the prefix if the note would not be visible: %j %j', async (surroundings, options) => {
  const account = await accountOn(surroundings);
  await expect(get(account, 'mem_c', options)).rejects.toMatchObject({
    exitCode: 4,
    message: 'Failed to get memory "mem_c": there is no memory with this id. Pass the whole id, mem_c1.',
  });
  expect(account.noted()).toBe('');
});

test('rejects several ids with their number and the first five', async () => {
  const account = await accountOn({ isTerminal: true });
  await expect(get(account, 'mem_ab')).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringMatching(
      /^Failed to get memory "mem_ab": 6 ids begin with it, such as (mem_ab\d, ){4}mem_ab\d\. Pass more of the id\.$/,
    ),
  });
});

test.each(['mem', 'mem_x', 'em_c'])('reports as not found: %s', async (prefix) => {
  const account = await accountOn({ isTerminal: true });
  await expect(get(account, prefix)).rejects.toMatchObject({ code: 'not_found' });
  expect(account.requests).toHaveLength(prefix.length < 4 ? 1 : 2);
});

async function accountOn({ isTerminal }: { isTerminal: boolean }) {
  const process = new TestProcess();
  process.stderr.isTTY = isTerminal;
  const account = await serveAccount(...ids.map((id) => ({ id })));
  return { ...account, process, noted: () => process.stderr.text };
}

async function get(
  { client, process }: Awaited<ReturnType<typeof accountOn>>,
  id: string,
  options = {},
): Promise<string> {
  const { signal } = new AbortController();
  const memory = await withWholeId(client, id, { ...options, process, signal }, (whole) =>
    client.getMemory(whole, { signal }),
  );
  return memory.id;
}
