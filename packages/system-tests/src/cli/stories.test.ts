import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { createConsumer } from '../packages/create-consumer.ts';
import { useChromium } from '../runtimes/browser/use-chromium.ts';
import { startTerminal } from './run-command.ts';

const { folder: installed } = createConsumer();
const chromium = useChromium();
const ready = 'Press Ctrl+C to stop.';

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
  const memories = readdirSync(join(home, 'memories', 'pages')).length;
  // The page loads a month after the other.
  await expect.poll(() => page.locator('.row').count()).toBe(memories);
  await page.close();

  expect(await run('memory-read digest --last 7d --mirror memories --output weeks/')).toMatchObject({ code: 0 });
  const [file = ''] = readdirSync(join(home, 'weeks'));
  expect(file).toMatch(/^\d{4}-\d\d-\d\d Memories\.md$/);
  expect(readFileSync(join(home, 'weeks', file), 'utf8')).toMatch(/^# Memories\n\n.*: \d+ memories, /);
  expect(await run('memory-read logout')).toMatchObject({ code: 0 });
  expect(await run('memory-read whoami')).toMatchObject({ code: 2 });
});

test('the operator creates a database and a key, imports, verifies, revokes the key and reads metrics', async () => {
  const { home, start, run } = openShell();
  const records = ['mem_1', 'mem_2', 'mem_3'].map((id) => `${JSON.stringify(sampleRecord({ id }))}\n`);
  writeFileSync(join(home, 'memories.jsonl'), records.join(''));
  const db = '--db memories.sqlite';
  const server = start(`memory-read serve ${db} --create --port 0 --metrics-port 0`);
  await server.until(ready);
  const [, url = ''] = /Memory Read API on (\S+)\n/.exec(server.shown()) ?? [];
  const [, metrics = ''] = /Metrics +(\S+)\n/.exec(server.shown()) ?? [];
  const [, createKey = ''] = /Create a key:\n {2}(.+)\n/.exec(server.shown()) ?? [];
  const imported = await run(`memory-read import memories.jsonl --account ada ${db}`);
  expect(imported.text).toContain('Stored 3 memories of ada in memories.sqlite.\n');
  await run(`${createKey.replace('USER_ID', 'ada')} --label laptop --json > key.json`);
  const { keyId, apiKey } = JSON.parse(readFileSync(join(home, 'key.json'), 'utf8'));
  const keys = await run(`memory-read keys list ${db}`);
  expect(keys.text).toMatch(/^KEY ID +ACCOUNT +LABEL +STATUS +CREATED +EXPIRES\n.*ada +laptop +active/);

  const connection = `--base-url ${url} --api-key env:KEY`;
  const verified = await run(`KEY=${apiKey} memory-read verify ${connection}`);
  expect([verified.code, verified.text]).toEqual([0, expect.stringMatching(/\n34 passed, 0 failed, \d+ skipped/)]);
  expect(await run(`memory-read keys revoke ${keyId} ${db}`)).toMatchObject({ code: 0 });
  expect(await run(`KEY=${apiKey} memory-read list ${connection}`)).toMatchObject({ code: 3 });
  const scraped = await (await fetch(metrics)).text();
  expect(scraped).toMatch(/^memory_read_requests_total\{.*status="200".*\} [1-9]/m);
  expect(`${scraped}${keys.text}${verified.text}`).not.toContain(apiKey);
  server.type('\x03');
  expect(await server.ended).toBe(130);
});

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
