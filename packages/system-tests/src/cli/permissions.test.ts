import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { expect, test } from 'vitest';
import { type StartOptions, startCommand } from './run-command.ts';
import { recordWithAudio, startMediaAccount } from './start-media-account.ts';

const umasks = ['000', '022'];
const audioSize = 200_000;

test.each(umasks)('creates a private SQLite file, log and secrets under umask %s', async (umask) => {
  const cwd = makeFolder();
  const imported = startCommand(['import', '-', '--account', 'ada', '--db', 'imported.sqlite'], { cwd, umask });
  imported.stdin.end();
  expect(await once(imported, 'close')).toEqual([0, null]);
  const serve = ['serve', '--create', '--port', '0', '--log', 'none', '--db', 'served.sqlite', '--media-dir', '.'];
  const server = startCommand(serve, { cwd, umask });
  await once(server.stdout, 'data');
  const served = ['', '-shm', '-wal', '.media-secrets.json'].map((suffix) => `served.sqlite${suffix}`);
  const expected = ['imported.sqlite', ...served].map((name) => [name, '600']);
  expect(modesIn(cwd)).toEqual(Object.fromEntries(expected));
});

test.each(umasks)('creates private files of a mirror under umask %s, from the first byte on', async (umask) => {
  const account = await startMediaAccount(audioSize);
  await account.put(recordWithAudio(1), recordWithAudio(2));
  const parent = makeFolder();
  const folder = join(parent, 'new', 'mirror');
  const log = join(parent, 'modes.txt');
  const args = ['mirror', folder];
  const options = { env: { ...account.env, MODES: log }, umask, nodeArguments: ['--import', noteModes] };

  account.pace = 3_600_000;
  const stalled = startCommand(args, options);
  await expect.poll(() => partialSizes(parent)).toEqual([65_536, 65_536]);
  expect(openToOthers(join(parent, 'new'))).toEqual([]);
  stalled.kill('SIGKILL');
  await once(stalled, 'close');
  expect(openToOthers(join(parent, 'new'))).toEqual([]);

  account.pace = 0;
  expect(await finish(startCommand(args, options))).toMatchObject({ code: 0, stderr: '' });
  const modes = Object.entries(modesIn(join(parent, 'new')));
  expect(modes.filter(([name]) => name.endsWith('.wav'))).toHaveLength(2);
  expect(new Set(modes.map(([, mode]) => mode))).toEqual(new Set(['600', '700']));
  const created = readFileSync(log, 'utf8').trim().split('\n');
  expect(created.length).toBeGreaterThan(10);
  expect(created.filter((line) => !/ [67]00$/.test(line))).toEqual([]);
});

test.each([
  ['000', '666'],
  ['022', '644'],
])('creates the file of --output under umask %s with the mode %s', async (umask, mode) => {
  const account = await startMediaAccount(audioSize);
  await account.put(recordWithAudio(1));
  const options: StartOptions = { env: account.env, umask, cwd: makeFolder() };
  for (const args of [
    ['download', 'mem_1', 'audio', '--output', 'talk.wav'],
    ['export', 'mem_1', '--format', 'json', '--output', 'talk.json'],
  ]) {
    expect(await finish(startCommand(args, options))).toMatchObject({ code: 0 });
  }
  expect(modesIn(options.cwd ?? '')).toEqual({ 'talk.wav': mode, 'talk.json': mode });
});

test('keeps the mode of an existing folder of a mirror', async () => {
  const account = await startMediaAccount(audioSize);
  await account.put(recordWithAudio(1));
  const folder = makeFolder();
  chmodSync(folder, 0o755);
  expect(await finish(startCommand(['mirror', folder], { env: account.env }))).toMatchObject({ code: 0 });
  expect(modeOf(folder)).toBe('755');
});

/** Source of a module that writes the original mode of each new file and folder to the file in `MODES`. */
const noteModes = `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const { appendFileSync, existsSync, fstatSync, mkdirSync, openSync, statSync } = fs;
  const { open } = fs.promises;
  const note = (path, { mode }) => {
    if (path !== process.env.MODES) appendFileSync(process.env.MODES, path + ' ' + (mode & 0o777).toString(8) + '\\n');
  };
  fs.openSync = (path, ...rest) => {
    const isNew = !existsSync(path);
    const descriptor = openSync(path, ...rest);
    if (isNew) note(path, fstatSync(descriptor));
    return descriptor;
  };
  fs.promises.open = async (path, ...rest) => {
    const isNew = !existsSync(path);
    const handle = await open(path, ...rest);
    if (isNew) note(path, fstatSync(handle.fd));
    return handle;
  };
  fs.mkdirSync = (path, ...rest) => {
    const made = mkdirSync(path, ...rest);
    note(path, statSync(path));
    return made;
  };
  syncBuiltinESMExports();
`)}`;

function modesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true }).map(String).sort();
  return Object.fromEntries(names.map((name) => [name, modeOf(join(folder, name))]));
}

function openToOthers(folder: string): [string, string][] {
  return Object.entries({ '.': modeOf(folder), ...modesIn(folder) }).filter(([, mode]) => !mode.endsWith('00'));
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

function partialSizes(folder: string): number[] {
  const names = readdirSync(folder, { recursive: true }).map(String);
  return names.filter((name) => name.endsWith('.part')).map((name) => statSync(join(folder, name)).size);
}

async function finish(child: ReturnType<typeof startCommand>) {
  child.stdin.end();
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { stdout, stderr, code };
}
