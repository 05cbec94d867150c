import { once } from 'node:events';
import { sampleListedMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { jsonLines } from '../testing/json-lines.ts';
import { runCli, startCli } from '../testing/run-cli.ts';
import { serveAccount } from '../testing/serve-account.ts';

test('reports an invalid memory once and continues, and reports the error that ends the watch once', async () => {
  const broken = { ...sampleListedMemory({ id: 'mem_2' }), name: null };
  const account = await serveAccount();
  account.intercept = () =>
    Response.json(account.requests.length < 3 ? [broken, sampleListedMemory({ id: 'mem_1' })] : [broken]);
  const { stdout, stderr, code } = await runCli(['watch', '--existing', '--interval', '20ms'], { env: account.env });
  expect(jsonLines(stdout).map(({ type }) => type)).toEqual(['added', 'processed']);
  const failed = 'Failed to list memories: .* memory "mem_2" .*';
  expect(stderr).toMatch(new RegExp(`^${failed} The watch continues\\.\\n${failed} check the base URL\\.\\n$`));
  expect([account.requests.length, code]).toEqual([3, 1]);
});

test.each<[args: string[], first: string[]]>([
  [[], ['mem_2']],
  [['--skip-existing'], ['mem_2']],
  [['--existing'], ['mem_1']],
])('`watch %j` starts with %j', async (args, first) => {
  const account = await serveAccount({});
  const watch = startCli(['watch', '--interval', '20ms', ...args], { env: account.env });
  await expect.poll(() => account.requests.length, { interval: 5 }).toBeGreaterThan(1);
  await account.put({ id: 'mem_2' });
  await expect.poll(() => watch.process.stdout.text, { interval: 5 }).toContain('mem_2');
  watch.interrupt('SIGINT');
  const ids = jsonLines((await watch.result).stdout).map(({ memory }) => (memory as { id: string }).id);
  expect(ids.slice(0, 1)).toEqual(first);
});

test('on a terminal, a watch says what it waits for', async () => {
  const { env } = await serveAccount({});
  const watch = startCli(['watch'], { env, terminal: { stdout: {}, stderr: {} } });
  await once(watch.process.stderr, 'text');
  watch.interrupt('SIGINT');
  const stderr = 'Watching for new memories and changes. Press Ctrl+C to stop.\nInterrupted by SIGINT.\n';
  expect(await watch.result).toEqual({ code: 130, stdout: '', stderr });
});

test('on a terminal, a change is one line, whose name is cut and whose id is whole', async () => {
  const id = 'mem_01M81EP771GTGD18CCBDP1FMP0';
  const { env } = await serveAccount({ id, name: 'Morning sync of the platform team '.repeat(3) });
  const watch = startCli(['watch', '--existing'], { env, terminal: { stdout: { columns: 80 } } });
  await expect.poll(() => watch.process.stdout.text, { interval: 5 }).toContain('processed');
  watch.interrupt('SIGINT');
  const lines = (await watch.result).stdout.trimEnd().split('\n');
  expect(lines.map((line) => [line.length, line.slice('00:00:00  '.length)])).toEqual(
    ['added    ', 'processed'].map((type) => [80, `${type}  ${id}  Morning sync of the platfo…`]),
  );
});
