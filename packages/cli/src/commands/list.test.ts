import { expect, test } from 'vitest';
import { runCli, startServe } from '../testing/run-cli.ts';

test('prints a line of JSON for each memory, newest first', async () => {
  const { baseUrl, apiKey } = await startServe(['--demo', '--in-memory']);
  const env = { MEMORY_API_URL: baseUrl, MEMORY_API_KEY: apiKey };
  const { code, stdout, stderr } = await runCli(['list'], { env });
  expect([code, stderr]).toEqual([0, '']);
  const memories = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const listed = await fetch(`${baseUrl}/v1/memories`, { headers: { authorization: `Bearer ${apiKey}` } });
  const ids = ((await listed.json()) as { id: string }[]).map(({ id }) => id);
  expect(memories.map(({ id }) => id)).toEqual(ids);
  expect(memories).toHaveLength(24);
  expect(Object.keys(memories[0])).toContain('transcript');
});

test('ends with 3 if the server rejects the key', async () => {
  const { baseUrl } = await startServe(['--demo', '--in-memory']);
  const env = { MEMORY_API_URL: baseUrl, MEMORY_API_KEY: 'mrk_hush' };
  const { code, stdout, stderr } = await runCli(['list'], { env });
  expect(stderr).toMatch(/^Failed to list memories: .*\n$/);
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).not.toContain('hush');
});

test('ends with 1 if the server cannot be reached, and with 2 for an invalid base URL', async () => {
  const env = { MEMORY_API_KEY: 'mrk_hush' };
  const gone = await runCli(['list', '--base-url', 'http://127.0.0.1:1'], { env });
  expect(gone).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^Failed to .*\n$/) });
  const wrong = await runCli(['list', '--base-url', 'nonsense'], { env });
  expect(wrong).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^Failed to create the client: the base URL /),
  });
});
