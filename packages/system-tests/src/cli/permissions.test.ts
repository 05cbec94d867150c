import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { expect, test } from 'vitest';
import { runCommand, startCommand } from './run-command.ts';
import { recordWithAudio, startMediaAccount } from './start-media-account.ts';

const umask = '000';
const audioSize = 200_000;

test('creates a private SQLite file, log and secrets', async () => {
  const cwd = makeFolder();
  const imported = ['import', '-', '--account', 'ada', '--db', 'imported.sqlite'];
  expect(await runCommand(imported, { cwd, umask })).toMatchObject({ code: 0 });
  const serve = ['serve', '--create', '--port', '0', '--log', 'none', '--db', 'served.sqlite', '--media-dir', '.'];
  await once(startCommand(serve, { cwd, umask }).stdout, 'data');
  const served = ['', '-shm', '-wal', '.media-secrets.json'].map((suffix) => `served.sqlite${suffix}`);
  const expected = ['imported.sqlite', ...served].map((name) => [name, '600']);
  expect(modesIn(cwd)).toEqual(Object.fromEntries(expected));
});

test.each(['000', '022'])('creates private files of a mirror under umask %s, from the first byte on', async (mask) => {
  const account = await startMediaAccount(audioSize);
  await account.put(recordWithAudio(1), recordWithAudio(2));
  const parent = makeFolder();
  const log = join(parent, 'modes.txt');
  const args = ['mirror', join(parent, 'new', 'mirror')];
  const options = { env: { ...account.env, MODES: log }, umask: mask, nodeArguments: ['--import', noteModes] };

  account.pace = 3_600_000;
  const stalled = startCommand(args, options);
  await expect.poll(() => partialSizes(parent)).toEqual([65_536, 65_536]);
  expect(modesBelow(parent)).toEqual(['600', '700']);
  stalled.kill('SIGKILL');
  await once(stalled, 'close');
  expect(modesBelow(parent)).toEqual(['600', '700']);

  account.pace = 0;
  expect(await runCommand(args, options)).toMatchObject({ code: 0, stderr: '' });
  expect(Object.keys(modesIn(parent)).filter((name) => name.endsWith('.wav'))).toHaveLength(2);
  expect(modesBelow(parent)).toEqual(['600', '700']);
  const created = readFileSync(log, 'utf8').trim().split('\n');
  expect(created.length).toBeGreaterThan(10);
  expect(created.filter((line) => !/ [67]00$/.test(line))).toEqual([]);
});

test('creates the file of --output with the permissions of the umask', async () => {
  const account = await startMediaAccount(audioSize);
  await account.put(recordWithAudio(1));
  const options = { env: account.env, umask: '022', cwd: makeFolder() };
  for (const args of [
    ['download', 'mem_1', 'audio', '--output', 'talk.wav'],
    ['export', 'mem_1', '--format', 'json', '--output', 'talk.json'],
  ]) {
    expect(await runCommand(args, options)).toMatchObject({ code: 0 });
  }
  expect(modesIn(options.cwd)).toEqual({ 'talk.wav': '644', 'talk.json': '644' });
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
  return Object.fromEntries(names.map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]));
}

/** Returns the different modes of the new folder, and of everything in it. */
function modesBelow(parent: string): string[] {
  const entries = Object.entries(modesIn(parent)).filter(([name]) => name.startsWith('new'));
  return [...new Set(entries.map(([, mode]) => mode))].sort();
}

function partialSizes(folder: string): number[] {
  const names = readdirSync(folder, { recursive: true }).map(String);
  return names.filter((name) => name.endsWith('.part')).map((name) => statSync(join(folder, name)).size);
}
