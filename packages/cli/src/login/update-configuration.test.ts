import * as fs from 'node:fs';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type Profile, readConfiguration } from '../options/read-configuration.ts';
import { temporaryDirectory } from '../testing/run-cli.ts';
import { updateConfiguration } from './update-configuration.ts';

const login = { baseUrl: 'https://api.test', apiKey: 'mrk_hush' };
const onPosix = test.runIf(process.platform !== 'win32');

test('reads the written file again, with profiles of every name', () => {
  const path = newPath();
  const names = ['default', '__proto__', 'constructor', '-', '..', 'a'.repeat(64)];
  const profiles = new Map(names.map((name) => [name, { ...login, apiKey: `key-of-${name}` }]));
  writeConfiguration(path, profiles);
  expect(readConfiguration(path)).toEqual(profiles);
  expect(Object.keys(JSON.parse(readFileSync(path, 'utf8')))).toEqual(['baseUrl', 'apiKey', 'profiles']);
});

onPosix('creates a private file and private folders, and leaves no other file', () => {
  const path = newPath();
  const folder = dirname(path);
  writeConfiguration(path, new Map([['default', login]]));
  expect([path, folder, dirname(folder)].map(modeOf)).toEqual(['600', '700', '700']);
  fs.chmodSync(folder, 0o755);
  for (const name of ['config.json.tmp', 'other']) writeFileSync(join(folder, name), 'left by a killed process');
  writeConfiguration(path, new Map([['work', login]]));
  expect([path, folder].map(modeOf)).toEqual(['600', '700']);
  expect(readdirSync(folder).sort()).toEqual(['config.json', 'other']);
});

test('removes the file if no profile is left', () => {
  const path = newPath();
  writeConfiguration(path, new Map([['default', login]]));
  writeConfiguration(path, new Map());
  expect(existsSync(path)).toBe(false);
  writeConfiguration(path, new Map());
});

onPosix('keeps a symbolic link, and replaces its target', () => {
  const path = newPath();
  const target = join(temporaryDirectory(), 'mine.json');
  writeFileSync(target, '{}', { mode: 0o600 });
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
  writeConfiguration(path, new Map([['default', login]]));
  expect(fs.lstatSync(path).isSymbolicLink()).toBe(true);
  expect([JSON.parse(readFileSync(target, 'utf8')), modeOf(target)]).toEqual([login, '600']);
  writeConfiguration(path, new Map());
  expect([JSON.parse(readFileSync(path, 'utf8')), modeOf(target)]).toEqual([{}, '600']);
});

onPosix('rejects a symbolic link to a missing file, and writes nothing there', () => {
  const path = newPath();
  const target = join(temporaryDirectory(), 'gone.json');
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
  expect(() => writeConfiguration(path, new Map([['default', login]]))).toThrow(
    `Failed to write ${path}: it is a symbolic link to a file that does not exist. Remove it. Nothing was saved.`,
  );
  expect(existsSync(target)).toBe(false);
});

onPosix('names the path of a failure and never the key, and keeps the old file', () => {
  const path = newPath();
  mkdirSync(path, { recursive: true });
  expect(() => writeConfiguration(path, new Map([['default', login]]))).toThrow(/it is not a regular file/);
  expect(readdirSync(dirname(path))).toEqual(['config.json']);
  const blocked = join(temporaryDirectory(), 'file');
  writeFileSync(blocked, '');
  expect(() => writeConfiguration(join(blocked, 'a', 'config.json'), new Map([['default', login]]))).toThrow(
    'a part of the path is a file',
  );
});

test('leaves no lock and no partial file after a failed change', () => {
  const path = newPath();
  const fail = () => {
    throw new Error('hush');
  };
  expect(() => updateConfiguration(path, fail)).toThrow(/^Failed to write \S+: /);
  expect(readdirSync(dirname(path))).toEqual([]);
});

function writeConfiguration(path: string, profiles: ReadonlyMap<string, Profile>): void {
  const change = (saved: Map<string, Profile>) => {
    saved.clear();
    for (const [name, profile] of profiles) saved.set(name, profile);
  };
  updateConfiguration(path, change, () => {});
}

function newPath(): string {
  return join(temporaryDirectory(), 'new', 'memory-read', 'config.json');
}

function modeOf(path: string): string {
  return (fs.statSync(path).mode & 0o777).toString(8);
}
