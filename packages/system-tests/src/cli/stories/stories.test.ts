import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { createConsumer } from '../../packages/create-consumer.ts';
import { useChromium } from '../../runtimes/browser/use-chromium.ts';
import { recordWithAudio, startMediaAccount } from '../start-media-account.ts';
import { openShell } from './open-shell.ts';

const { folder: installed } = createConsumer();
const chromium = useChromium();
const ctrlC = '\x03';

const lacksJq = process.env.CI !== 'true' && spawnSync('jq', ['--version']).error !== undefined;
if (lacksJq) console.log('The stories of the developer and the operator are left out: jq is not installed.');

test('the wearer logs in, mirrors a week, searches, opens the page, and reads a digest', async () => {
  const home = makeFolder();
  const { url, key } = await serveDemo(home);
  const shell = await openShell({ installed, home });

  expect(await shell.run('memory-read list')).toEqual({
    code: 2,
    text: 'Failed to find the server: no base URL is set. Run memory-read login, pass --base-url, or set MEMORY_API_URL.\n',
  });
  const login = await shell.start('memory-read login', 'Server: ');
  const loggedIn = await login.leave(`${url}\r${key}\r`);
  expect(loggedIn.code).toBe(0);
  expect(loggedIn.text).toMatch(
    /\nLogged in to http:\/\/127\.0\.0\.1:\d+ as \w+, 24 memories\. Saved in .* for you alone\.\n$/,
  );
  expect(loggedIn.text).not.toContain(key);

  const mirrored = await shell.run('memory-read mirror --last 7d');
  expect(mirrored.code).toBe(0);
  const [, done, inRange] = /(\d+) of (\d+) memories done: \d+ files saved \(.*\)/.exec(mirrored.text) ?? [];
  expect(Number(done)).toBeGreaterThan(0);
  expect(done).toBe(inRange);
  expect(mirrored.text).not.toContain(key);

  const found = await shell.run('memory-read search the --limit 3');
  expect(found.code).toBe(0);
  expect(found.text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d {2}/m);

  const page = await chromium().browser.newPage();
  await page.goto(pathToFileURL(join(home, 'memories', 'index.html')).href);
  await page.locator('.row strong').first().waitFor();
  expect(await page.locator('.row').count()).toBe(readdirSync(join(home, 'memories', 'pages')).length);
  await page.close();

  expect((await shell.run('memory-read digest --last 7d --output weeks/')).code).toBe(0);
  const [file = ''] = readdirSync(join(home, 'weeks'));
  expect(file).toMatch(/^\d{4}-\d\d-\d\d Memories\.md$/);
  const digest = readFileSync(join(home, 'weeks', file), 'utf8');
  expect(digest).toMatch(/^# Memories\n\n.*: \d+ memories, /);
  expect(await shell.run('memory-read digest --last 7d --mirror memories --output again/')).toMatchObject({ code: 0 });
  expect(await shell.run('memory-read logout')).toMatchObject({ code: 0 });
  expect(await shell.run('memory-read whoami')).toMatchObject({ code: 2 });
});

test.skipIf(lacksJq)(
  'the developer pipes to jq, runs a job without an environment, and resumes after an outage',
  async () => {
    const home = makeFolder();
    const account = await startMediaAccount(1_000);
    await account.put(
      ...[1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12].map((number) =>
        recordWithAudio(number, { ...startedHoursAgo(number), media: {} }),
      ),
    );
    await account.put(recordWithAudio(5, { ...startedHoursAgo(5), media: {}, is_processing: true, transcript: null }));
    const { MEMORY_API_URL: url, MEMORY_API_KEY: key } = account.env;
    writeFileSync(join(home, 'key.txt'), `${key}\n`, { mode: 0o600 });
    const shell = await openShell({ installed, home });
    const run = async (line: string) => (await shell.run(line)).code;

    expect(await shell.run(`export MEMORY_API_URL=${url}`)).toEqual({ code: 0, text: '' });
    expect(await run('memory-read list')).toBe(2);
    const options = '--api-key file:key.txt';
    expect(
      (await shell.run(`memory-read list ${options} --fields id,status | jq -r 'select(.status == "processing").id'`))
        .text,
    ).toBe('mem_5\n');
    expect(
      (await shell.run(`memory-read list ${options} | head -n 1 | jq -r .id; echo "\${PIPESTATUS[0]}"`)).text,
    ).toBe('mem_1\n0\n');

    const job = `env -i PATH="$PATH" HOME=/nonexistent memory-read mirror copy --quiet --base-url ${url} ${options} > job.jsonl`;
    let isDown = false;
    account.onRequest = (path) => {
      isDown ||= path === '/v1/memories/mem_3';
      return isDown ? new Response(broken()) : undefined;
    };
    const failed = await shell.run(job);
    expect(failed.code).toBe(1);
    expect(failed.text).toMatch(/Run the same command again to resume; \d of 12 memories are done\.\n$/);
    const partly = lastLine(home, 'job.jsonl');
    expect(partly).toMatchObject({ event: 'mirrored', complete: false, memories: 12 });
    account.onRequest = () => undefined;
    account.requests.length = 0;
    expect(await shell.run(job)).toEqual({ code: 0, text: '' });
    expect(lastLine(home, 'job.jsonl')).toMatchObject({ event: 'mirrored', complete: true, memories: 12, done: 12 });
    const details = account.requests.filter((path) => path.startsWith('/v1/memories/'));
    expect(details).toHaveLength(12 - partly.done);

    expect(await run(`memory-read get mem_none ${options}`)).toBe(4);
    expect(await run(`memory-read list --format csv ${options}`)).toBe(2);
    writeFileSync(join(home, 'key.txt'), 'mrk_revoked\n');
    expect(await shell.run(`memory-read list ${options}`)).toMatchObject({
      code: 3,
      text: expect.not.stringContaining('mrk_'),
    });
    writeFileSync(join(home, 'key.txt'), `${key}\n`);
    expect(await run(`memory-read wait mem_5 --timeout 1s ${options}`)).toBe(5);
    const watch = await shell.start(`memory-read watch ${options}`, 'mem_1');
    expect((await watch.leave(ctrlC)).code).toBe(130);
  },
);

test.skipIf(lacksJq)(
  'the operator creates a database, imports, makes and revokes keys, verifies and reads metrics',
  async () => {
    const home = makeFolder();
    const records = ['mem_1', 'mem_2', 'mem_3'].map((id) => `${JSON.stringify(sampleRecord({ id }))}\n`);
    writeFileSync(join(home, 'memories.jsonl'), records.join(''));
    const shell = await openShell({ installed, home });
    const db = '--db memories.sqlite';

    const refused = await shell.run(`memory-read serve ${db}`);
    expect(refused).toMatchObject({ code: 1, text: expect.stringContaining('pass --create to make it') });
    expect(readdirSync(home)).toEqual(['memories.jsonl']);
    expect((await shell.run(`memory-read import memories.jsonl --account ada --dry-run`)).text).toContain('3 memories');
    expect(readdirSync(home)).toEqual(['memories.jsonl']);

    const serving = await openShell({ installed, home });
    const server = await serving.start(
      `memory-read serve ${db} --create --port 0 --metrics-port 0`,
      'Press Ctrl+C to stop.',
    );
    const [, url = ''] = /Memory Read API on (\S+)\n/.exec(server.shown()) ?? [];
    const [, metrics = ''] = /Metrics +(\S+)\n/.exec(server.shown()) ?? [];
    const [, createKey = ''] = /Create a key:\n {2}(.+)\n/.exec(server.shown()) ?? [];
    expect(createKey).toBe('memory-read keys create --account USER_ID --db memories.sqlite');

    const imported = await shell.run(`memory-read import memories.jsonl --account ada ${db}`);
    expect(imported).toMatchObject({
      code: 0,
      text: expect.stringContaining('Stored 3 memories of ada in memories.sqlite.\n'),
    });
    const create = (label: string) =>
      shell.run(`${createKey.replace('USER_ID', 'ada')} --label ${label} --json > ${label}.json`);
    expect([(await create('laptop')).code, (await create('phone')).code]).toEqual([0, 0]);
    const [laptop, phone] = ['laptop', 'phone'].map((label) =>
      JSON.parse(readFileSync(join(home, `${label}.json`), 'utf8')),
    );
    const keys = await shell.run(`memory-read keys list ${db}`);
    expect(keys.text).toMatch(/^KEY ID +ACCOUNT +LABEL +STATUS +CREATED +EXPIRES\n/);
    expect(keys.text).toMatch(/ada +laptop +active/);

    await shell.run('jq -r .apiKey laptop.json > key.txt; chmod 600 key.txt');
    const connection = `--base-url ${url} --api-key file:key.txt`;
    expect((await shell.run(`memory-read list ${connection} --format jsonl | wc -l`)).text.trim()).toBe('3');
    const verified = await shell.run(`memory-read verify ${connection}`);
    expect([verified.code, verified.text]).toEqual([0, expect.stringMatching(/\n34 passed, 0 failed, \d+ skipped/)]);
    expect(await shell.run(`memory-read keys revoke ${laptop.keyId} ${db}`)).toMatchObject({ code: 0 });
    expect(await shell.run(`memory-read list ${connection}`)).toMatchObject({ code: 3 });
    const scraped = await (await fetch(metrics)).text();
    expect(scraped).toMatch(/^memory_read_requests_total\{.*status="200".*\} [1-9]/m);
    expect(`${scraped}${keys.text}${verified.text}`).not.toContain(phone.apiKey);
    expect((await server.leave(ctrlC)).code).toBe(130);
  },
);

/** A body whose connection is cut. */
function broken(): ReadableStream {
  return new ReadableStream({ start: (controller) => controller.error(new Error('The server is down.')) });
}

/** Serves the demo from a second terminal. */
async function serveDemo(home: string): Promise<{ url: string; key: string }> {
  const server = join(home, 'server');
  mkdirSync(server);
  const serving = await openShell({ installed, home: server });
  const { shown } = await serving.start('memory-read serve --demo --in-memory --port 0', 'Press Ctrl+C to stop.');
  const [, url = '', key = ''] = /export MEMORY_API_URL=(\S+) MEMORY_API_KEY=(\S+)\n/.exec(shown()) ?? [];
  return { url, key };
}

function startedHoursAgo(hours: number) {
  const started = Date.now() - hours * 3_600_000;
  return {
    started_at: new Date(started).toISOString(),
    ended_at: new Date(started + 60_000).toISOString(),
    duration_seconds: 60,
  };
}

function lastLine(home: string, file: string) {
  return JSON.parse(readFileSync(join(home, file), 'utf8').trimEnd().split('\n').at(-1) ?? '');
}
