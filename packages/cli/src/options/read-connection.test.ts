import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryDirectory } from '../testing/run-cli.ts';
import { TestProcess } from '../testing/test-process.ts';
import { configurationPath } from './configuration-path.ts';
import type { ConnectionOptions } from './connection-options.ts';
import { readConnection, resolveConnection } from './read-connection.ts';

const secret = 'mrk_hush';

const user = new TestProcess();
const { env } = user;

beforeEach(() => {
  const home = temporaryDirectory();
  for (const name in env) delete env[name];
  Object.assign(env, { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: home, APPDATA: home });
});

type Options = Omit<ConnectionOptions, 'process'>;

const read = (options: Options) => readConnection({ ...options, process: user });
const resolve = (options: Options) => resolveConnection({ ...options, process: user });
const pathOfFile = () => configurationPath(user);

function configure(content: unknown, mode = 0o600): string {
  const path = pathOfFile();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  chmodSync(path, mode);
  return path;
}

const file = { baseUrl: 'https://file.test', apiKey: 'key-of-file' };
const encrypted = { allowInsecureHttp: false };

test('prefers options to the environment, and the environment to the file', async () => {
  configure(file);
  expect(await read({})).toEqual({ ...file, ...encrypted });
  env.MEMORY_API_KEY = 'key-of-environment';
  const ofEnvironment = { baseUrl: 'https://environment.test', apiKey: 'key-of-environment' };
  expect(await read({})).toEqual({ ...file, ...encrypted, apiKey: ofEnvironment.apiKey });
  env.MEMORY_API_URL = ofEnvironment.baseUrl;
  env.OTHER = 'key-of-option';
  expect(await read({})).toEqual({ ...encrypted, ...ofEnvironment });
  const ofOption = { baseUrl: 'https://option.test', apiKey: 'key-of-option' };
  expect(await read({ ...ofOption, apiKey: 'env:OTHER' })).toEqual({ ...encrypted, ...ofOption });
  // The file is not needed, and not opened.
  configure('no JSON', 0o644);
  expect(await read({ ...ofOption, apiKey: 'env:OTHER' })).toEqual({ ...encrypted, ...ofOption });
});

test.runIf(process.platform !== 'win32').each([0o640, 0o604, 0o620, 0o601])(
  'rejects a file of mode %o, to which others have access',
  async (mode) => {
    const path = configure({ ...file, apiKey: secret }, mode);
    const message = `Failed to read ${path}: other users have access to it. Run chmod 600 '${path}'.`;
    await expect(read({})).rejects.toThrow(expect.objectContaining({ message, exitCode: 2 }));
  },
);

test('reads the key from its own file, which must be private too', async () => {
  const path = configure({ baseUrl: file.baseUrl, apiKeyFile: 'key' });
  const keyPath = join(dirname(path), 'key');
  await expect(read({})).rejects.toThrow('the file named by apiKeyFile is missing or empty');
  writeFileSync(keyPath, `${secret}\n`, { mode: 0o600 });
  expect(await read({})).toEqual({ ...encrypted, baseUrl: file.baseUrl, apiKey: secret });
  chmodSync(keyPath, 0o644);
  if (process.platform !== 'win32') await expect(read({})).rejects.toThrow('other users have access to it');
});

test('sends the key of the file only to the server of the file', async () => {
  configure({ ...file, apiKey: secret });
  await expect(read({ baseUrl: 'https://other.test' })).rejects.toThrow(
    'Failed to find the key: the saved key belongs to https://file.test, but the base URL is https://other.test. Pass --api-key env:NAME or file:PATH.',
  );
  for (const same of ['https://file.test/', 'https://FILE.test:443']) {
    expect(await read({ baseUrl: same })).toMatchObject({ baseUrl: 'https://file.test', apiKey: secret });
  }
  for (const other of ['https://file.test:444', 'https://file.test/v2', 'http://file.test', 'https://file.test.evil']) {
    await expect(read({ baseUrl: other, allowInsecureHttp: true })).rejects.toThrow('the saved key belongs to');
  }
});

test.each([
  ['text', `hush ${secret}`, 'it is not a JSON object'],
  ['an array', [secret], 'it is not a JSON object'],
  ['a number', { ...file, apiKey: 7 }, 'apiKey is not a non-empty text'],
  ['an empty text', { ...file, apiKey: '' }, 'apiKey is not a non-empty text'],
  ['an unknown name', { apikey: secret }, '"apikey" is not a setting. Use baseUrl, apiKey, apiKeyFile'],
  ['a secret as a name', { [secret.repeat(4)]: '' }, 'a name is not a setting'],
  ['two keys', { apiKey: secret, apiKeyFile: 'x' }, 'it has both apiKey and apiKeyFile'],
  ['a key alone', { apiKey: secret }, 'it has a key but no baseUrl'],
  ['a text that allows', { ...file, allowInsecureHttp: 'yes' }, 'allowInsecureHttp is not true or false'],
  ['profiles in a list', { profiles: [{ apiKey: secret }] }, 'profiles is not a JSON object'],
  ['a text as a profile', { profiles: { work: secret } }, 'a profile is not a JSON object'],
  ['profiles in a profile', { profiles: { work: { profiles: {} } } }, '"profiles" is not a setting'],
  ['a named default', { profiles: { default: file } }, 'the name of a profile is invalid'],
  ['the name of a set of rules', { profiles: { reference: file } }, 'the name of a profile is invalid'],
  ['a secret as a profile', { profiles: { 'mrk hush': file } }, 'the name of a profile is invalid'],
  ['a prototype at the top', '{"__proto__": {"baseUrl": "https://hush.test"}}', '"__proto__" is not a setting'],
  ['the file of a key alone', { apiKeyFile: 'key' }, 'it has a key but no baseUrl'],
])('rejects a file with %s as wrong usage without repeating it', async (_title, content, reason) => {
  configure(content);
  await expect(read({})).rejects.toThrow(
    expect.objectContaining({ exitCode: 2, message: expect.stringMatching(new RegExp(`^(?!.*hush).*${reason}`)) }),
  );
});

test('does not use a saved key without a base URL, whatever base URL is passed', async () => {
  configure({ apiKey: secret });
  await expect(read({ baseUrl: 'https://option.test' })).rejects.toThrow('it has a key but no baseUrl');
});

test('ignores a byte order mark', async () => {
  configure(`\ufeff${JSON.stringify(file)}`);
  expect(await read({})).toEqual({ ...file, ...encrypted });
});

test('rejects a folder at the path of the configuration', async () => {
  mkdirSync(pathOfFile(), { recursive: true, mode: 0o700 });
  await expect(read({})).rejects.toThrow(
    expect.objectContaining({
      exitCode: 2,
      message: expect.stringMatching(/it (is not a regular file|cannot be)/),
    }),
  );
});

test.runIf(process.platform !== 'win32')(
  'does not wait for a named pipe at the path of the configuration',
  async () => {
    mkdirSync(dirname(pathOfFile()), { recursive: true });
    expect(spawnSync('mkfifo', ['-m', '600', pathOfFile()]).status).toBe(0);
    await expect(read({})).rejects.toThrow(
      `Failed to read ${pathOfFile()}: it is not a regular file. Replace it with a file.`,
    );
  },
);

test('names a missing value with the ways to set it', async () => {
  const noServer =
    'Failed to find the server: no base URL is set. Run memory-read login, pass --base-url, or set MEMORY_API_URL.';
  await expect(read({})).rejects.toMatchObject({ exitCode: 2, message: noServer });
  const message = 'Failed to find the key: no API key is set. Run memory-read login, or set MEMORY_API_KEY.';
  await expect(read({ baseUrl: 'https://option.test' })).rejects.toMatchObject({ exitCode: 2, message });
});

const work = { baseUrl: 'https://work.test', apiKey: 'key-of-work' };
const home = { baseUrl: 'https://home.test', apiKey: 'key-of-home' };

test('prefers --profile to the environment, and this to MEMORY_PROFILE and the default profile', async () => {
  const path = configure({ ...file, profiles: { work, home } });
  env.MEMORY_PROFILE = 'home';
  const ofHome = { baseUrlFrom: 'the profile home', keyFrom: 'the profile home', profile: 'home' };
  expect(await resolve({})).toEqual({ ...home, ...encrypted, ...ofHome });
  env.MEMORY_PROFILE = '';
  expect(await resolve({})).toMatchObject({ ...file, baseUrlFrom: path, keyFrom: path, profile: 'default' });
  env.MEMORY_PROFILE = 'home';
  env.MEMORY_API_KEY = 'key-of-environment';
  const ofEnvironment = { apiKey: 'key-of-environment', keyFrom: 'MEMORY_API_KEY' };
  expect(await resolve({})).toMatchObject({ ...ofHome, ...ofEnvironment, baseUrl: home.baseUrl });
  env.MEMORY_API_URL = 'https://environment.test';
  expect(await resolve({})).toMatchObject({ baseUrlFrom: 'MEMORY_API_URL', profile: undefined });
  expect(await resolve({ profile: 'work' })).toMatchObject({ ...work, profile: 'work' });
  expect(await resolve({ profile: 'default' })).toMatchObject({ ...file, profile: 'default' });
  env.OTHER = 'key-of-option';
  expect(await resolve({ profile: 'work', apiKey: 'env:OTHER' })).toMatchObject({
    ...{ baseUrl: work.baseUrl, baseUrlFrom: 'the profile work', apiKey: 'key-of-option', keyFrom: '--api-key' },
  });
});

test('sends the key of a profile only to its server', async () => {
  configure({ ...file, profiles: { work } });
  env.MEMORY_API_URL = home.baseUrl;
  await expect(read({})).rejects.toThrow(/belongs to https:\/\/file\.test, but the base URL is https:\/\/home\.test\./);
  env.MEMORY_PROFILE = 'work';
  await expect(read({})).rejects.toThrow(/belongs to https:\/\/work\.test, but/);
  await expect(read({ profile: 'work', baseUrl: file.baseUrl })).rejects.toThrow(/belongs to https:\/\/work\.test/);
});

test.each([
  ['--profile', { profile: 'gone' }, ''],
  ['MEMORY_PROFILE', {}, 'gone'],
  ['--profile', { profile: 'constructor' }, ''],
  ['--profile', { profile: '__proto__' }, ''],
])(
  'rejects %s of a missing profile as wrong usage, and names the saved ones (%j)',
  async (source, options, variable) => {
    const path = configure({ ...file, profiles: { work } });
    env.MEMORY_PROFILE = variable;
    const message = `Failed to read ${source}: there is no such profile in ${path} (saved: default, work). Pass another name, or run memory-read login --profile NAME.`;
    await expect(read(options)).rejects.toThrow(expect.objectContaining({ exitCode: 2, message }));
  },
);

test('supports a profile named __proto__', async () => {
  configure(`{"profiles": {"__proto__": ${JSON.stringify(work)}}}`);
  expect(await read({ profile: '__proto__' })).toMatchObject(work);
  await expect(read({})).rejects.toThrow('no base URL is set');
});

test('allows unencrypted http only for the server of the profile', async () => {
  const intranet = { baseUrl: 'http://intranet.test', apiKey: 'key-of-intranet' };
  configure({ ...intranet, allowInsecureHttp: true, profiles: { work: intranet } });
  expect(await read({})).toEqual({ ...intranet, allowInsecureHttp: true });
  await expect(read({ profile: 'work' })).rejects.toThrow('Failed to use the base URL: http:// would send the key');
  expect(await read({ profile: 'work', allowInsecureHttp: true })).toEqual({
    ...intranet,
    allowInsecureHttp: true,
  });
  env.MEMORY_API_KEY = 'key-of-environment';
  expect(await read({})).toMatchObject({ ...intranet, apiKey: 'key-of-environment' });
  await expect(read({ baseUrl: 'http://other.test' })).rejects.toThrow('unencrypted to other.test. Use https://');
});
