import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { createConsumer } from '../packages/create-consumer.ts';
import { useChromium } from '../runtimes/browser/use-chromium.ts';
import { startTerminal } from './run-command.ts';
import { recordWithAudio, startMediaAccount } from './start-media-account.ts';

const { folder: installed } = createConsumer();
const chromium = useChromium();
const ready = 'Press Ctrl+C to stop.';

const lacksJq = process.env.CI !== 'true' && spawnSync('jq', ['--version']).error !== undefined;
if (lacksJq) console.log('The stories of the developer and the operator are left out: jq is not installed.');

test('the wearer logs in, mirrors a week, searches, opens the page, and reads a digest', async () => {
  const { home, start, run } = openShell();
  const serving = openShell().start('memory-read serve --demo --in-memory --port 0');
  await serving.until(ready);
  const [, url = '', key = ''] = /export MEMORY_API_URL=(\S+) MEMORY_API_KEY=(\S+)\n/.exec(serving.shown()) ?? [];

  expect(await run('memory-read list')).toEqual({
    code: 2,
    text: 'Failed to find the server: no base URL is set. Run memory-read login, pass --base-url, or set MEMORY_API_URL.\n',
  });
  const login = start('memory-read login');
  await login.until('Server: ');
  login.type(`${url}\r${key}\r`);
  expect(await login.ended).toBe(0);
  const mirrored = await run('memory-read mirror --last 7d');
  expect(mirrored).toMatchObject({
    code: 0,
    text: expect.stringMatching(/(\d+) of \1 memories done: \d+ files saved/),
  });
  const found = await run('memory-read search the --limit 3');
  expect(found).toMatchObject({ code: 0, text: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d {2}/m) });
  expect(login.shown() + mirrored.text + found.text).not.toContain(key);

  const page = await chromium().browser.newPage();
  await page.goto(pathToFileURL(join(home, 'memories', 'index.html')).href);
  await page.locator('.row strong').first().waitFor();
  expect(await page.locator('.row').count()).toBe(readdirSync(join(home, 'memories', 'pages')).length);
  await page.close();

  expect(await run('memory-read digest --last 7d --mirror memories --output weeks/')).toMatchObject({ code: 0 });
  const [file = ''] = readdirSync(join(home, 'weeks'));
  expect(file).toMatch(/^\d{4}-\d\d-\d\d Memories\.md$/);
  expect(readFileSync(join(home, 'weeks', file), 'utf8')).toMatch(/^# Memories\n\n.*: \d+ memories, /);
  expect(await run('memory-read logout')).toMatchObject({ code: 0 });
  expect(await run('memory-read whoami')).toMatchObject({ code: 2 });
});

test.skipIf(lacksJq)(
  'the developer pipes to jq, runs a job without an environment, and resumes after an outage',
  async () => {
    const { home, run } = openShell();
    const account = await startMediaAccount(1_000);
    const numbers = Array.from({ length: 12 }, (_item, index) => index + 1);
    await account.put(
      ...numbers.map((number) => {
        const at = `2026-03-${30 - number}T09:00:00Z`;
        return recordWithAudio(number, { started_at: at, ended_at: at, is_processing: number === 5, media: {} });
      }),
    );
    const { MEMORY_API_URL: url, MEMORY_API_KEY: key } = account.env;
    writeFileSync(join(home, 'key.txt'), `${key}\n`, { mode: 0o600 });
    const connection = `--base-url ${url} --api-key file:key.txt`;
    const list = `memory-read list ${connection}`;
    const processing = await run(`${list} --fields id,status | jq -r 'select(.status == "processing").id'`);
    expect(processing.text).toBe('mem_5\n');
    const newest = await run(`${list} | head -n 1 | jq -r .id; echo "\${PIPESTATUS[0]}"`);
    expect(newest.text).toBe('mem_1\n0\n');

    const job = `env -i PATH="$PATH" HOME=/nonexistent memory-read mirror copy --quiet ${connection} > job.jsonl`;
    const lastLine = () => JSON.parse(readFileSync(join(home, 'job.jsonl'), 'utf8').trimEnd().split('\n').at(-1) ?? '');
    let isDown = false;
    account.onRequest = (path) => {
      isDown ||= path === '/v1/memories/mem_3';
      return isDown ? new Response(broken()) : undefined;
    };
    const failed = await run(job);
    expect(failed.code).toBe(1);
    expect(failed.text).toMatch(/Run the same command again to resume; \d of 12 memories are done\.\n$/);
    const partly = lastLine();
    expect(partly).toMatchObject({ event: 'mirrored', complete: false, memories: 12 });
    account.onRequest = () => undefined;
    account.requests.length = 0;
    expect(await run(job)).toEqual({ code: 0, text: '' });
    expect(lastLine()).toMatchObject({ event: 'mirrored', complete: true, memories: 12, done: 12 });
    const details = account.requests.filter((path) => path.startsWith('/v1/memories/'));
    expect(details).toHaveLength(12 - partly.done);
  },
);

test.skipIf(lacksJq)(
  'the operator creates a database, imports, makes and revokes keys, verifies and reads metrics',
  async () => {
    const { home, start, run } = openShell();
    const records = ['mem_1', 'mem_2', 'mem_3'].map((id) => `${JSON.stringify(sampleRecord({ id }))}\n`);
    writeFileSync(join(home, 'memories.jsonl'), records.join(''));
    const db = '--db memories.sqlite';

    const refused = await run(`memory-read serve ${db}`);
    expect(refused).toMatchObject({ code: 1, text: expect.stringContaining('pass --create to make it') });
    expect((await run(`memory-read import memories.jsonl --account ada --dry-run`)).text).toContain('3 memories');
    expect(readdirSync(home)).toEqual(['memories.jsonl']);

    const server = start(`memory-read serve ${db} --create --port 0 --metrics-port 0`);
    await server.until(ready);
    const [, url = ''] = /Memory Read API on (\S+)\n/.exec(server.shown()) ?? [];
    const [, metrics = ''] = /Metrics +(\S+)\n/.exec(server.shown()) ?? [];
    const [, createKey = ''] = /Create a key:\n {2}(.+)\n/.exec(server.shown()) ?? [];
    expect(createKey).toBe('memory-read keys create --account USER_ID --db memories.sqlite');

    const imported = await run(`memory-read import memories.jsonl --account ada ${db}`);
    expect(imported.text).toContain('Stored 3 memories of ada in memories.sqlite.\n');
    const create = async (label: string) => {
      await run(`${createKey.replace('USER_ID', 'ada')} --label ${label} --json > ${label}.json`);
      return JSON.parse(readFileSync(join(home, `${label}.json`), 'utf8'));
    };
    const [laptop, phone] = [await create('laptop'), await create('phone')];
    const keys = await run(`memory-read keys list ${db}`);
    expect(keys.text).toMatch(/^KEY ID +ACCOUNT +LABEL +STATUS +CREATED +EXPIRES\n/);
    expect(keys.text).toMatch(/ada +laptop +active/);

    await run('jq -r .apiKey laptop.json > key.txt; chmod 600 key.txt');
    const connection = `--base-url ${url} --api-key file:key.txt`;
    expect((await run(`memory-read list ${connection} --format jsonl | wc -l`)).text.trim()).toBe('3');
    const verified = await run(`memory-read verify ${connection}`);
    expect([verified.code, verified.text]).toEqual([0, expect.stringMatching(/\n34 passed, 0 failed, \d+ skipped/)]);
    expect(await run(`memory-read keys revoke ${laptop.keyId} ${db}`)).toMatchObject({ code: 0 });
    expect(await run(`memory-read list ${connection}`)).toMatchObject({ code: 3 });
    const scraped = await (await fetch(metrics)).text();
    expect(scraped).toMatch(/^memory_read_requests_total\{.*status="200".*\} [1-9]/m);
    expect(`${scraped}${keys.text}${verified.text}`).not.toContain(phone.apiKey);
    server.type('\x03');
    expect(await server.ended).toBe(130);
  },
);

/** A new home folder, in which lines of bash run in a terminal. The installed commands are in their path. */
function openShell() {
  const home = makeFolder();
  const path = [join(installed, 'node_modules', '.bin'), dirname(process.execPath), process.env.PATH ?? ''];
  const env = { HOME: home, PATH: path.join(delimiter), MEMORY_READ_PAGER: '', NO_COLOR: '1' };
  const start = (line: string) => startTerminal(['bash', '-c', line], { columns: 200, cwd: home, env });
  const run = async (line: string) => {
    const terminal = start(line);
    return { code: await terminal.ended, text: terminal.shown() };
  };
  return { home, start, run };
}

/** A body whose connection is cut. */
function broken(): ReadableStream {
  return new ReadableStream({ start: (controller) => controller.error(new Error('The server is down.')) });
}
