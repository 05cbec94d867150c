import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { temporaryDirectory } from '../testing/run-cli.ts';
import { configurationPath } from './configuration-path.ts';
import { readConnection } from './read-connection.ts';

const secret = 'mrk_hush';

beforeEach(() => {
  const home = temporaryDirectory();
  for (const name of ['HOME', 'USERPROFILE', 'XDG_CONFIG_HOME', 'APPDATA']) vi.stubEnv(name, home);
  vi.stubEnv('MEMORY_API_URL', '');
  vi.stubEnv('MEMORY_API_KEY', '');
  return () => vi.unstubAllEnvs();
});

function configure(content: unknown, mode = 0o600): string {
  const path = configurationPath();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  chmodSync(path, mode);
  return path;
}

const file = { baseUrl: 'https://file.test', apiKey: 'key-of-file' };

test('options go before the environment, and the environment before the file', () => {
  configure(file);
  expect(readConnection({})).toEqual(file);
  vi.stubEnv('MEMORY_API_KEY', 'key-of-environment');
  expect(readConnection({})).toEqual({ ...file, apiKey: 'key-of-environment' });
  vi.stubEnv('MEMORY_API_URL', 'https://environment.test');
  vi.stubEnv('OTHER', 'key-of-option');
  expect(readConnection({})).toEqual({ baseUrl: 'https://environment.test', apiKey: 'key-of-environment' });
  expect(readConnection({ baseUrl: 'https://option.test', apiKey: 'env:OTHER' })).toEqual({
    baseUrl: 'https://option.test',
    apiKey: 'key-of-option',
  });
});

test('a file that is not needed is not opened', () => {
  configure('no JSON', 0o644);
  vi.stubEnv('MEMORY_API_KEY', 'key');
  expect(readConnection({ baseUrl: 'https://option.test' })).toEqual({ baseUrl: 'https://option.test', apiKey: 'key' });
});

test.runIf(process.platform !== 'win32').each([0o640, 0o604, 0o620, 0o601])(
  'a file of mode %o, which others may use, is refused',
  (mode) => {
    const path = configure({ ...file, apiKey: secret }, mode);
    const message = `Failed to read ${path}: other users have access to it. Run chmod 600 '${path}'.`;
    expect(() => readConnection({})).toThrow(expect.objectContaining({ message, exitCode: 2 }));
  },
);

test('the key may lie in a file of its own, which is to be private too', () => {
  const path = configure({ baseUrl: file.baseUrl, apiKeyFile: 'key' });
  const keyPath = join(dirname(path), 'key');
  expect(() => readConnection({})).toThrow('its apiKeyFile is missing or empty');
  writeFileSync(keyPath, `${secret}\n`, { mode: 0o600 });
  expect(readConnection({})).toEqual({ baseUrl: file.baseUrl, apiKey: secret });
  chmodSync(keyPath, 0o644);
  if (process.platform !== 'win32') expect(() => readConnection({})).toThrow('other users have access to it');
});

test('the key of the file goes to the server of the file alone', () => {
  configure({ ...file, apiKey: secret });
  expect(() => readConnection({ baseUrl: 'https://other.test' })).toThrow(
    /belongs to another base URL\. Pass env:NAME/,
  );
  expect(readConnection({ baseUrl: 'https://file.test/' }).apiKey).toBe(secret);
});

test.each([
  ['text', `hush ${secret}`, 'it is not a JSON object'],
  ['an array', [secret], 'it is not a JSON object'],
  ['a number', { ...file, apiKey: 7 }, 'it contains a value that is not a string'],
  ['an empty text', { ...file, apiKey: '' }, 'it contains a value that is not a string'],
  ['an unknown name', { apikey: secret }, '"apikey" is not a known name. Write only baseUrl, apiKey or apiKeyFile.'],
  ['a secret as a name', { [secret.repeat(4)]: '' }, 'a name is not a known name'],
  ['two keys', { apiKey: secret, apiKeyFile: 'x' }, 'it has both apiKey and apiKeyFile'],
  ['a key alone', { apiKey: secret }, 'it has a key but no baseUrl'],
  ['the file of a key alone', { apiKeyFile: 'key' }, 'it has a key but no baseUrl'],
])('a file with %s is wrong usage, and not repeated', (_title, content, reason) => {
  configure(content);
  expect(() => readConnection({})).toThrow(
    expect.objectContaining({ exitCode: 2, message: expect.stringMatching(new RegExp(`^(?!.*hush).*${reason}`)) }),
  );
});

test('a key without a base URL goes nowhere, whatever base URL is passed', () => {
  configure({ apiKey: secret });
  expect(() => readConnection({ baseUrl: 'https://option.test' })).toThrow('it has a key but no baseUrl');
});

test('a byte order mark is no part of the configuration', () => {
  configure(`\ufeff${JSON.stringify(file)}`);
  expect(readConnection({})).toEqual(file);
});

test('a folder in the place of the configuration is refused', () => {
  mkdirSync(configurationPath(), { recursive: true, mode: 0o700 });
  expect(() => readConnection({})).toThrow(
    expect.objectContaining({
      exitCode: 2,
      message: expect.stringMatching(/it (is not a regular file|cannot be)/),
    }),
  );
});

test.runIf(process.platform !== 'win32')('a named pipe in the place of the configuration is not waited for', () => {
  mkdirSync(dirname(configurationPath()), { recursive: true });
  expect(spawnSync('mkfifo', ['-m', '600', configurationPath()]).status).toBe(0);
  expect(() => readConnection({})).toThrow(
    `Failed to read ${configurationPath()}: it is not a regular file. Replace it with a file.`,
  );
});

test('what is missing is told with all places where it could be', () => {
  const path = configurationPath();
  expect(() => readConnection({})).toThrow(
    `Failed to read --base-url: it is missing. Pass the root of the API, or set MEMORY_API_URL, or baseUrl in ${path}.`,
  );
  expect(() => readConnection({ baseUrl: 'https://option.test' })).toThrow(
    `Failed to read --api-key: it is missing. Pass env:NAME or file:PATH, or set MEMORY_API_KEY, or apiKey in ${path}.`,
  );
});

test.each([
  ['linux', { HOME: '/home/ada' }, '/home/ada/.config/memory-read/config.json'],
  ['linux', { HOME: '/home/ada', XDG_CONFIG_HOME: '/etc/ada' }, '/etc/ada/memory-read/config.json'],
  ['linux', { HOME: '/home/ada', XDG_CONFIG_HOME: 'relative' }, '/home/ada/.config/memory-read/config.json'],
  ['darwin', { HOME: '/Users/ada' }, '/Users/ada/Library/Application Support/memory-read/config.json'],
  ['win32', { APPDATA: '/ada/Roaming' }, '/ada/Roaming/memory-read/config.json'],
] as const)('on %s with %j the file is %s', (platform, env, path) => {
  expect(configurationPath({ platform, env }).replaceAll('\\', '/')).toBe(path);
});
