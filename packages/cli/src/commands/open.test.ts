import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { listen } from '@memory-read/test-kit/listen';
import { expect, onTestFinished, test } from 'vitest';
import { shellQuoted } from '../terminal/shell-quoted.ts';
import { jsonLines } from '../testing/json-lines.ts';
import { expectFailure, runCli, temporaryDirectory } from '../testing/run-cli.ts';
import { serveAccount } from '../testing/serve-account.ts';

/** Creates a program that sends its arguments to the test, and returns what it sends. */
async function fakeBrowser(folder: string, name: string) {
  const { promise: opened, resolve: open } = Promise.withResolvers<string[]>();
  const server = await listen(async (request, response) => {
    open(JSON.parse(await text(request)));
    response.end();
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const program = join(folder, name);
  writeFileSync(
    program,
    `#!${process.execPath}\nfetch(${JSON.stringify(server.url)}, { method: 'POST', body: JSON.stringify(process.argv.slice(2)) });\n`,
  );
  chmodSync(program, 0o755);
  return { program, opened };
}

/** Creates what `open` looks for. */
function makeMirror(name: string, { isWritten = true } = {}): string {
  const folder = join(temporaryDirectory(), name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'mirror.sqlite'), '');
  if (isWritten) writeFileSync(join(folder, 'index.html'), '');
  return folder;
}

const names = ['memories', 'my memories', "Ada's #1?", '100%25 $(id) `id` "a"; & b', 'Größe 会議', '-n'];

test.each(names)('MEMORY_READ_BROWSER gets the URL of index.html as one argument: %s', async (name) => {
  const folder = makeMirror(name);
  const { program, opened } = await fakeBrowser(temporaryDirectory(), 'browser');
  const env = { MEMORY_READ_BROWSER: `${program} --new-window` };
  expect(await runCli(['open', '--mirror', folder], { env })).toMatchObject({ code: 0, stdout: '', stderr: '' });
  const [option, url = ''] = await opened;
  expect(option).toBe('--new-window');
  expect(new URL(url).protocol).toBe('file:');
  expect(decodeURIComponent(new URL(url).pathname)).toBe(join(folder, 'index.html'));
});

test.each([
  ['linux', 'xdg-open'],
  ['darwin', 'open'],
  ['win32', 'explorer.exe'],
] as const)('on %s, %s opens the page', async (platform, name) => {
  const folder = makeMirror('my memories');
  const programs = temporaryDirectory();
  const { opened } = await fakeBrowser(programs, name);
  const env = { MEMORY_READ_BROWSER: '', PATH: programs };
  expect(await runCli(['open', '--mirror', folder], { env, platform })).toMatchObject({ code: 0, stderr: '' });
  expect(await opened).toEqual([pathToFileURL(join(folder, 'index.html')).href]);
});

test('a program that is missing is a failure that says what to do', async () => {
  const folder = makeMirror('memories');
  const env = { MEMORY_READ_BROWSER: '', PATH: temporaryDirectory() };
  await expectFailure(
    runCli(['open', '--mirror', folder], { env }),
    1,
    /^Failed to open ".*index\.html": .+ cannot be started \(ENOENT\)\. .*MEMORY_READ_BROWSER/,
  );
});

test('--print prints the absolute path and starts nothing', async () => {
  const folder = makeMirror('Größe #1');
  const env = { MEMORY_READ_BROWSER: 'exit 9', PATH: '' };
  expect(await runCli(['open', '--print'], { env, cwd: resolve(folder, '..') })).toMatchObject({ code: 2, stdout: '' });
  const printed = await runCli(['open', '--print', '--mirror', 'Größe #1'], { env, cwd: resolve(folder, '..') });
  expect(printed).toEqual({ code: 0, stdout: `${join(folder, 'index.html')}\n`, stderr: '' });
});

test.each([[['open']], [['open', '--print']]])('without index.html, %j ends with 2 and names mirror', async (args) => {
  const folder = makeMirror('my memories', { isWritten: false });
  const { code, stdout, stderr } = await runCli([...args, '--mirror', folder]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`memory-read mirror ${shellQuoted(folder)}`);
});

test('a run of mirror ends by naming it', async () => {
  const account = await serveAccount({});
  const folder = join(temporaryDirectory(), 'my memories');
  const last = async (...args: string[]) =>
    jsonLines((await runCli(['mirror', folder, '--no-media', ...args], { env: account.env })).stdout).at(-1);
  expect(await last('--dry-run')).toMatchObject({ index: null });
  expect(await last('--no-pages')).toMatchObject({ index: null });
  expect(await last()).toMatchObject({ index: join(folder, 'index.html') });
  const { stdout } = await runCli(['mirror', folder, '--no-media'], { env: account.env, terminal: { stdout: {} } });
  expect(stdout).toMatch(/\nOpen it: memory-read open --mirror '\S+\/my memories'\n$/);
});
