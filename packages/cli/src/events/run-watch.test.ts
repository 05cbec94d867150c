import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { jsonLines } from '../testing/json-lines.ts';
import { openWebhook, secrets } from '../testing/open-webhook.ts';
import { runCli, startCli, temporaryDirectory } from '../testing/run-cli.ts';
import { serveAccount } from '../testing/serve-account.ts';
import { spawnCli } from '../testing/spawn-cli.ts';

/** An account with one memory, a webhook, and a folder for the mirror. */
async function openWatch() {
  const account = await serveAccount({});
  const webhook = await openWebhook();
  const parent = temporaryDirectory();
  const folder = join(parent, 'mirror');
  const env = { ...account.env, ...webhook.env, MEMORY_READ_MIRROR: folder };
  const args = (...more: string[]) => ['watch', '--webhook', webhook.url, '--retry', '20ms', ...more];
  return {
    account,
    webhook,
    parent,
    folder,
    env,
    once: (...more: string[]) => runCli(args('--once', ...more), { env }),
    start: (...more: string[]) => startCli(args('--interval', '20ms', ...more), { env }),
    run: (...words: string[]) => runCli(words, { env }),
  };
}

const typesOf = (posts: readonly { type: string; memoryId: string }[]) =>
  posts.map(({ type, memoryId }) => `${type.replace('memory.', '')} ${memoryId}`);

describe('an option that cannot be used ends with 2 before anything is sent or made', () => {
  const hook = ['--webhook', 'https://hooks.example.com/secret-path'];
  const secret = ['--secret', 'env:SECRET'];
  test.each<[args: string[], message: string]>([
    [hook, '--webhook: no secret is set. Set MEMORY_READ_WEBHOOK_SECRET to "whsec_$(openssl rand -base64 32)"'],
    [[...hook, '--exec', 'true'], "--exec <command>' cannot be used with option '--webhook <url>'"],
    [[...hook, '--secret', 'env:KEY'], '--secret: it is not whsec_ and 24 to 64 bytes in Base64.'],
    [[...hook, '--secret', 'env:UNSET'], '--secret: the environment variable UNSET is not set.'],
    [[...hook, '--secret', secrets[0] ?? ''], '--secret: a key on the command line is visible'],
    [
      ['--webhook', 'http://hooks.example.com/secret-path', ...secret],
      'http://hooks.example.com is not encrypted. Use https, or pass --allow-insecure-http.',
    ],
    [['--webhook', 'https://me:secret-path@example.com', ...secret], '--webhook: it has a user or a password.'],
    [['--webhook', 'secret-path', ...secret], '--webhook: it is not an http or https URL.'],
    [secret, '--secret: it signs the events of a webhook. Pass --webhook too'],
    [['--sink', 'A b'], '--sink: it is not a name of a sink.'],
    [['--type', 'deleted'], '--type: "deleted" is not a type of event.'],
    [['--retry', '5m..1s'], '--retry: "5m..1s" is not a range of durations. Pass one such as 10s..5m.'],
    [['--interval', '1s..2s..3s'], '--interval: "1s..2s..3s" is not a range of durations.'],
    [['--max-tries', '0'], '--max-tries: "0" is not a whole number from 1 to 1000.'],
    [['--max-bytes', '1000'], '--max-bytes: "1000" is not a whole number from 1024'],
    [['--mirror', 'm', '--existing'], '--existing: a watch with a mirror begins with all memories.'],
    [['--allow-empty'], '--allow-empty: a watch without a mirror remembers no memories.'],
    [['--once', '--no-sync'], '"mirror" is not a mirror.'],
    [['--no-sync', '--base-url', 'https://example.com'], "'--no-sync' cannot be used with option '--base-url <url>'"],
  ])('%j', async (args, message) => {
    const { account, env, folder, parent } = await openWatch();
    const { MEMORY_READ_WEBHOOK_SECRET: _secret, ...others } = env;
    const variables = { ...others, SECRET: secrets[0] ?? '', KEY: 'whsec_short' };
    const { code, stdout, stderr } = await runCli(['watch', ...args], { env: variables, cwd: parent });
    expect(stderr.replace(folder, 'mirror')).toContain(message);
    expect(stderr).toMatch(/^Failed to (?!.*(secret-path|whsec_A))[^\n]+\n$/);
    expect([code, stdout, account.requests, readdirSync(parent)]).toEqual([2, '', [], []]);
  });
});

test('--once delivers what is new, says what it did, and repeats nothing', async () => {
  const { account, webhook, once } = await openWatch();
  const first = await once();
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(jsonLines(first.stdout)).toEqual([
    ...['memory.added', 'memory.processed'].map((type, index) => ({
      ...{ event: 'delivered', eventId: webhook.posts[index]?.id, type, memoryId: 'mem_1', attempt: 1 },
    })),
    { event: 'watched', sink: 'default', delivered: 2, failed: 0, parked: 0, pending: 0 },
  ]);
  await account.put({ name: 'Evening' }, { id: 'mem_2', is_processing: true });
  await once('--type', 'changed,memory.added');
  expect(typesOf(webhook.posts.slice(2)).sort()).toEqual(['added mem_2', 'changed mem_1']);
  expect(await once()).toMatchObject({ code: 0 });
  expect(webhook.posts).toHaveLength(4);
});

test('secrets of a variable or of files sign side by side, and the URL can be in a file too', async () => {
  const { webhook, once, parent, env } = await openWatch();
  await once();
  expect(webhook.posts[0]?.signedBy).toEqual([0]);
  writeFileSync(join(parent, 'url'), `${webhook.url}\n`);
  secrets.forEach((secret, index) => void writeFileSync(join(parent, `${index}`), `${secret}\n`));
  const sources = ['--secret', 'file:1', 'file:0', '--webhook', 'file:url'];
  await runCli(['watch', '--once', '--sink', 'b', ...sources], { env, cwd: parent });
  expect(webhook.posts[2]?.signedBy).toEqual([0, 1]);
});

test.each([
  ['retrying', 500, 1, 'answered 500'],
  ['retrying', 302, 1, 'answered 302, a redirect, which is not followed'],
  ['stopped', 410, 4, 'answered 410: it no longer exists'],
])('a try is %s after the status %d, and nothing shows or stores the URL', async (event, status, exitCode, reason) => {
  const { webhook, once, run, folder } = await openWatch();
  webhook.answer = (response) => void response.writeHead(status, { location: '/other' }).end();
  const { code, stdout, stderr } = await once();
  const error = `${new URL(webhook.url).origin} ${reason}`;
  expect(jsonLines(stdout)[0]).toMatchObject({ event, error });
  expect(stderr).toContain(`Failed to deliver ${webhook.posts[0]?.id}: ${error}.\n`);
  expect(code).toBe(exitCode);
  const sinks = await run('events', 'sinks');
  expect(jsonLines(sinks.stdout)).toMatchObject([
    { sink: 'default', pending: 2, [event === 'stopped' ? 'stopped' : 'error']: error },
  ]);
  const stored = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  for (const text of [stdout, stderr, sinks.stdout, ...stored]) expect(text).not.toMatch(/hook-path|hook-query|whsec_/);
});

test('a sink that was stopped sends nothing until it is resumed', async () => {
  const { webhook, once, run } = await openWatch();
  webhook.answer = (response) => void response.writeHead(410).end();
  await once();
  webhook.answer = (response) => void response.end();
  const { code, stderr } = await once();
  expect(stderr).toMatch(
    /^Failed to deliver to the sink default: .+ Correct the receiver, then run memory-read events resume default\.\n$/,
  );
  expect([code, webhook.posts.length]).toEqual([4, 1]);
  expect(await run('events', 'resume', 'default')).toMatchObject({ code: 0 });
  expect(await once()).toMatchObject({ code: 0, stderr: '' });
  expect(typesOf(webhook.posts)).toEqual(['added mem_1', 'added mem_1', 'processed mem_1']);
});

test('one event at fault does not keep --once from delivering the others, and is parked after --max-tries', async () => {
  const { account, webhook, once } = await openWatch();
  await account.put({ id: 'mem_2' }, { id: 'mem_3' });
  // The first event of the log is at fault, so that others are accepted after it.
  webhook.answer = (response, { memoryId }) =>
    void response.writeHead(memoryId === webhook.posts[0]?.memoryId ? 400 : 204).end();
  const { code, stdout, stderr } = await once('--max-tries', '1');
  expect(jsonLines(stdout).at(-1)).toMatchObject({ delivered: 4, parked: 2, pending: 0 });
  expect(stderr).toMatch(/Failed to deliver 2 events: the reasons are above\. .+ or see memory-read events sinks\.\n$/);
  expect(code).toBe(1);
});

test('--once delivers what is pending although the API is down, and ends with the failure of the API', async () => {
  const { account, webhook, once } = await openWatch();
  webhook.answer = (response) => void response.writeHead(503).end();
  expect(await once()).toMatchObject({ code: 1 });
  webhook.answer = (response) => void response.writeHead(204).end();
  account.intercept = () => new Response(null, { status: 401 });
  const { code, stdout, stderr } = await once();
  expect(jsonLines(stdout).at(-1)).toMatchObject({ delivered: 2, pending: 0 });
  expect([code, stderr]).toEqual([3, expect.stringMatching(/refuses the key/)]);
});

test('polls and deliveries do not wait for each other', async () => {
  const { account, webhook, start } = await openWatch();
  const held: (() => void)[] = [];
  webhook.answer = (response) => void held.push(() => response.writeHead(204).end());
  const watch = start();
  await expect.poll(() => held.length).toBe(1);
  const polls = account.requests.length;
  await expect.poll(() => account.requests.length).toBeGreaterThan(polls + 2);
  await account.put({ id: 'mem_2' });
  webhook.answer = (response) => void response.writeHead(204).end();
  held[0]?.();
  await expect.poll(() => webhook.posts.length).toBe(4);
  watch.interrupt('SIGINT');
  expect(await watch.result).toMatchObject({ code: 130 });
});

test.each(['SIGTERM', 'SIGHUP'] as const)(
  'the response to the event in flight is stored and printed after %s',
  async (signal) => {
    const { webhook, start, once } = await openWatch();
    const held: (() => void)[] = [];
    webhook.answer = (response) => void held.push(() => response.writeHead(204).end());
    const watch = start();
    await expect.poll(() => held.length).toBe(1);
    watch.interrupt(signal);
    held[0]?.();
    const { code, stdout } = await watch.result;
    expect(code).toBe(signal === 'SIGTERM' ? 143 : 129);
    expect(jsonLines(stdout)).toMatchObject([{ event: 'delivered', type: 'memory.added' }]);
    webhook.answer = (response) => void response.writeHead(204).end();
    await once();
    expect(typesOf(webhook.posts)).toEqual(['added mem_1', 'processed mem_1']);
  },
);

test('--skip-existing begins after the first sync, and has no effect on a sink that exists', async () => {
  const { account, webhook, once } = await openWatch();
  expect(await once('--skip-existing')).toMatchObject({ code: 0 });
  expect(webhook.posts).toEqual([]);
  await account.put({ id: 'mem_2' });
  await once('--skip-existing');
  expect(typesOf(webhook.posts)).toEqual(['added mem_2', 'processed mem_2']);
});

test.each(['mem_2', '/v1/memories'])(
  '--skip-existing does not begin before a first sync that is whole: %s fails with 503',
  async (failing) => {
    const { account, webhook, once } = await openWatch();
    await account.put({ id: 'mem_2' });
    account.intercept = (path) => (path.endsWith(failing) ? new Response(null, { status: 503 }) : undefined);
    expect(await once('--skip-existing')).toMatchObject({ code: 1 });
    account.intercept = () => undefined;
    expect(await once('--skip-existing')).toMatchObject({ code: 0 });
    expect(webhook.posts).toEqual([]);
  },
);

test('--skip-existing begins although a memory can never be read', async () => {
  const { account, webhook, once } = await openWatch();
  await account.put({ id: 'mem_2' });
  account.intercept = (path) => (path.endsWith('mem_2') ? new Response(null, { status: 403 }) : undefined);
  await once('--skip-existing');
  await account.put({ id: 'mem_3' });
  await once('--skip-existing');
  expect(typesOf(webhook.posts)).toEqual(['added mem_3', 'processed mem_3']);
});

test('a memory whose response says when to try again ends the sync, and the watch waits', async () => {
  const { account, env, folder } = await openWatch();
  await account.put(...Array.from({ length: 40 }, (_, index) => ({ id: `mem_${index}` })));
  const headers = { 'retry-after': '60' };
  account.intercept = (path) => (path.includes('mem_') ? new Response(null, { status: 429, headers }) : undefined);
  const watch = startCli(['watch', '--mirror', folder, '--interval', '20ms'], { env });
  await expect
    .poll(() => watch.process.stderr.text)
    .toMatch(/^Failed to get memory .+ 429\. .+ The watch continues\.\n$/);
  watch.interrupt('SIGINT');
  expect(await watch.result).toMatchObject({ code: 130 });
  expect(account.requests.filter((path) => path.endsWith('memories'))).toHaveLength(1);
  // Some are in flight when the first response arrives.
  expect(account.requests.length).toBeLessThan(10);
});

test('--no-sync delivers what another process syncs, and sends no request', async () => {
  const { account, webhook, start, run } = await openWatch();
  await run('mirror', '--no-media');
  const polls = account.requests.length;
  const watch = start('--no-sync', '--sink', 'b');
  await expect.poll(() => webhook.posts.length).toBe(2);
  expect(account.requests.length).toBe(polls);
  await account.put({ id: 'mem_2' });
  await run('mirror', '--no-media');
  await expect.poll(() => webhook.posts.length, { timeout: 5_000 }).toBe(4);
  watch.interrupt('SIGINT');
  await watch.result;
});

test('an empty list marks nothing, and is reported once; with --allow-empty all are missing', async () => {
  const { account, webhook, once, start } = await openWatch();
  await once();
  await account.remove('mem_1');
  const watch = start();
  const polls = account.requests.length;
  await expect.poll(() => account.requests.length).toBeGreaterThan(polls + 3);
  watch.interrupt('SIGINT');
  const { stderr } = await watch.result;
  expect(stderr).toBe(
    'Warning: The list is empty, but the mirror has memories. Pass --allow-empty if all of them were deleted.\nInterrupted by SIGINT.\n',
  );
  expect(webhook.posts).toHaveLength(2);
  await once('--allow-empty');
  expect(typesOf(webhook.posts.slice(2))).toEqual(['missing mem_1']);
});

test('a transient failure is reported, and a refused key ends the watch with 3', async () => {
  const { account, start } = await openWatch();
  account.intercept = () => new Response(null, { status: account.requests.length < 3 ? 503 : 401 });
  const { code, stderr } = await start().result;
  expect(stderr).toMatch(
    /^(Failed to list memories: .+ The watch continues\.\n){2}Failed to list memories: .+ refuses the key\..+\n$/,
  );
  expect(code).toBe(3);
});

test('a memory that cannot be read is reported once, and the others are delivered', async () => {
  const { account, webhook, start, once } = await openWatch();
  await account.put({ id: 'mem_2' });
  account.intercept = (path) => (path.endsWith('mem_2') ? new Response(null, { status: 403 }) : undefined);
  const watch = start();
  const isBroken = () => account.requests.filter((path) => path.endsWith('mem_2')).length;
  await expect.poll(isBroken).toBeGreaterThan(2);
  watch.interrupt('SIGINT');
  const { stderr } = await watch.result;
  expect(stderr).toMatch(/^mem_2: Failed to get memory "mem_2": [^\n]+\nInterrupted by SIGINT\.\n$/);
  expect(typesOf(webhook.posts)).toEqual(['added mem_1', 'processed mem_1']);
  expect(await once()).toMatchObject({ code: 1, stderr: expect.stringMatching(/Failed to save 1 memory/) });
});

test('two watches of one sink do not deliver side by side', async () => {
  const { webhook, start, once } = await openWatch();
  const held: (() => void)[] = [];
  webhook.answer = (response) => void held.push(() => response.writeHead(204).end());
  const watch = start('--timeout', '1h');
  await expect.poll(() => held.length).toBe(1);
  const { code, stderr } = await once('--no-sync');
  expect(stderr).toMatch(
    /^Failed to use .+: another process is delivering to the sink default\. End its memory-read watch/,
  );
  expect(code).toBe(1);
  watch.interrupt('SIGINT');
  held[0]?.();
});

describe('without a receiver, events are printed', () => {
  test('as lines of JSON, once each', async () => {
    const { run, folder } = await openWatch();
    const { stdout, stderr, code } = await run('watch', '--mirror', folder, '--once');
    expect(jsonLines(stdout)).toMatchObject(
      ['memory.added', 'memory.processed'].map((type) => ({
        type,
        data: { memory_id: 'mem_1', memory: { name: 'Morning' } },
      })),
    );
    expect([stderr, code]).toEqual(['', 0]);
    expect(await run('watch', '--mirror', folder, '--once')).toEqual({ stdout: '', stderr: '', code: 0 });
  });

  test.runIf(existsSync('/dev/full')).each([[[]], [['--once']]])(
    'and %j ends with 1 if they cannot be written, and with none of them delivered',
    async (more) => {
      const { run, env, folder } = await openWatch();
      const args = ['watch', '--mirror', folder, '--interval', '20ms', ...more];
      expect(await spawnCli(args, { env, output: '/dev/full' }).result).toMatchObject({
        code: 1,
        stderr:
          'Failed to print the result: standard output cannot be written (ENOSPC). Redirect it to another file, or free some space.\n',
      });
      const { stdout } = await run('events', 'sinks', '--mirror', folder);
      expect(jsonLines(stdout)).toMatchObject([{ delivered: 0, pending: 2, parked: 0 }]);
    },
  );

  test('for people on a narrow terminal, with the name on a line of its own', async () => {
    const { env, folder } = await openWatch();
    const args = ['watch', '--mirror', folder, '--type', 'added', '--once'];
    const { stdout } = await runCli(args, { env, terminal: { stdout: { columns: 40 } } });
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d {2}added {6}mem_1 {2}Morning\n/);
    const narrow = await runCli([...args, '--sink', 'b'], { env, terminal: { stdout: { columns: 30 } } });
    expect(narrow.stdout).toMatch(/^\d\d:\d\d:\d\d {2}added {6}mem_1\nMorning\n/);
  });

  test('for people on a terminal, above a status line', async () => {
    const { env, folder } = await openWatch();
    const watch = startCli(['watch', '--mirror', folder], { env, terminal: { stdout: {}, stderr: { columns: 80 } } });
    await expect.poll(() => watch.process.stdout.text).toContain('processed');
    await expect
      .poll(() => watch.process.stderr.text)
      .toMatch(/Next poll at \d\d:\d\d:\d\d\. 2 events delivered, 0 pending\.$/);
    watch.interrupt('SIGINT');
    const { stdout } = await watch.result;
    expect(stdout).toMatch(
      /^\d\d:\d\d:\d\d {2}added {6}mem_1 {2}Morning\n\d\d:\d\d:\d\d {2}processed {2}mem_1 {2}Morning\n$/,
    );
  });
});

test('with -q, failures are printed and nothing else', async () => {
  const { run } = await openWatch();
  const { stderr } = await run('watch', '--exec', 'exit 1', '--type', 'added', '--once', '-q', '--retry', '20ms');
  expect(stderr).toMatch(
    /^(Failed to deliver evt_\w+: the command ended with exit code 1\.\n)+Failed to deliver 1 event: /,
  );
});

test('a command gets each event, and its exit code is the response', async () => {
  const { run, folder, parent } = await openWatch();
  const seen = join(parent, 'seen');
  const command = `cat >> ${seen}; echo told; exit $(test "$MEMORY_EVENT_TYPE" = memory.added && echo 0 || echo 65)`;
  const { code, stdout, stderr } = await run('watch', '--exec', command, '--once');
  expect(jsonLines(readFileSync(seen, 'utf8')).map(({ type }) => type)).toEqual(['memory.added', 'memory.processed']);
  expect(jsonLines(stdout)).toMatchObject([{ event: 'delivered' }, { event: 'parked' }, { delivered: 1, parked: 1 }]);
  expect(stderr).toMatch(/^told\ntold\nFailed to deliver evt_\w+: the command ended with exit code 65\.\n/);
  expect([code, existsSync(folder)]).toEqual([1, true]);
});
