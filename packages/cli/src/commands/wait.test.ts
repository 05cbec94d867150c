import { expect, test } from 'vitest';
import { jsonLines } from '../testing/json-lines.ts';
import { runCli } from '../testing/run-cli.ts';
import { serveAccount } from '../testing/serve-account.ts';

const processing = { id: 'mem_2', is_processing: true };
/** Names of options of the client, which a message of a command must not contain. */
const wordsOfCode = /validation|maxWait|totalTimeout|Raise|apiKey|allowInsecure|auth:/;

test('prints each memory as soon as its wait ends, and exits with the code of the most severe failure', async () => {
  const { env } = await serveAccount(processing, {});
  const args = ['wait', 'mem_2', 'mem_3', 'mem_1', '--timeout', '500ms'];
  const { stdout, stderr, code } = await runCli(args, { env });
  const outcomes = jsonLines(stdout);
  expect(outcomes.map(({ memoryId, status }) => `${memoryId} ${status}`).sort()).toEqual([
    'mem_1 processed',
    'mem_2 timed_out',
    'mem_3 not_found',
  ]);
  const error = { code: 'not_found', message: expect.stringMatching(/^Failed to /) };
  expect(outcomes).toContainEqual(expect.objectContaining({ memoryId: 'mem_3', error }));
  // On a busy machine, the timeout can end the last poll. The message then ends with this failure.
  expect(stderr).toMatch(
    /^Failed to wait for 2 of 3 memories: "mem_3" does not exist, "mem_2" is still processing\. Check the ids, or pass a longer --timeout\.( The last failure: .*)?\n$/,
  );
  expect(code).toBe(4);
  expect(await runCli(['wait', 'mem_2', '--timeout', '100ms'], { env })).toMatchObject({ code: 5 });
  expect(await runCli(['wait', 'mem_1'], { env })).toMatchObject({ code: 0, stderr: '' });
  const ofUnknown = 'Failed to get memory "mem_3": there is no memory with this id. See memory-read list.\n';
  expect(await runCli(['get', 'mem_3'], { env })).toEqual({ code: 4, stdout: '', stderr: ofUnknown });
  expect(await runCli(['wait', 'mem_3'], { env })).toMatchObject({ code: 4, stderr: ofUnknown });
});

test('ends all waits with 3 if the key is refused', async () => {
  const account = await serveAccount(processing, {});
  account.intercept = (path) =>
    path.endsWith('mem_1') ? Response.json({ detail: 'Invalid API key' }, { status: 401 }) : undefined;
  const { stdout, stderr, code } = await runCli(['wait', 'mem_2', 'mem_1'], { env: account.env });
  expect(stderr).toMatch(/^Failed to get memory "mem_1": [^\n]+\n$/);
  expect(code).toBe(3);
  const error = expect.objectContaining({ code: 'authentication' });
  expect(JSON.parse(stdout)).toMatchObject({ memoryId: 'mem_1', status: 'failed', error });
});

test.each([
  [['mem_1'], /: no poll succeeded within 300 ms\. The last failure: Failed to .+: /],
  [['mem_1', 'mem_2'], /"mem_1" could not be read, "mem_2" could not be read\..* The last failure: Failed to /],
])('explains in the terms of the command why a wait for %j could read nothing', async (memoryIds, reason) => {
  const account = await serveAccount();
  account.intercept = () => new Response('<title>Sign in</title>', { headers: { 'content-type': 'text/html' } });
  const { stdout, stderr, code } = await runCli(['wait', ...memoryIds, '--timeout', '300ms'], { env: account.env });
  expect(stderr).toMatch(reason);
  expect(jsonLines(stdout)[0]).toMatchObject({
    error: { message: expect.stringMatching(/: no poll succeeded within 300 ms\. /) },
  });
  expect(stdout + stderr).not.toMatch(wordsOfCode);
  expect(code).toBe(5);
});
