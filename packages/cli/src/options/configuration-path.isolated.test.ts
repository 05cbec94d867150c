import { homedir, userInfo } from 'node:os';
import { beforeEach, expect, test, vi } from 'vitest';
import { runCli, startServe } from '../testing/run-cli.ts';
import { configurationPath } from './configuration-path.ts';

vi.mock(import('node:os'), { spy: true });

const noHome =
  'Failed to find the saved login: this user has no home folder. Set HOME, or MEMORY_API_URL and MEMORY_API_KEY.';
const linux = '/.config/memory-read/config.json';

/** The system does not know the user. */
beforeEach(() => {
  for (const read of [homedir, userInfo]) {
    vi.mocked<() => unknown>(read).mockImplementation(() => {
      throw new Error('ENOENT: no such file or directory, uv_os_get_passwd');
    });
  }
});

test.each([
  ['linux', {}, undefined],
  ['linux', { HOME: '' }, undefined],
  ['linux', { HOME: 'ada', USERPROFILE: './ada' }, undefined],
  ['linux', { HOME: '', XDG_CONFIG_HOME: 'ada' }, undefined],
  ['linux', { HOME: 'ada', USERPROFILE: '/ada' }, `/ada${linux}`],
  ['linux', { HOME: '/ada' }, `/ada${linux}`],
  ['linux', { XDG_CONFIG_HOME: '/etc/ada' }, '/etc/ada/memory-read/config.json'],
  ['darwin', { XDG_CONFIG_HOME: '/etc/ada' }, undefined],
  ['darwin', { HOME: '/ada' }, '/ada/Library/Application Support/memory-read/config.json'],
  ['win32', { APPDATA: 'Roaming' }, undefined],
  ['win32', { APPDATA: '/ada/Roaming' }, '/ada/Roaming/memory-read/config.json'],
] as const)('on %s with %j, an unknown user has the path %s', (platform, env, path) => {
  if (path === undefined) expect(() => configurationPath({ platform, env })).toThrow(noHome);
  else expect(configurationPath({ platform, env })).toBe(path);
});

test.each(['', 'ada', './ada', undefined])('HOME=%j is ignored: the home folder of the system counts', (home) => {
  vi.mocked(userInfo).mockReturnValue({ homedir: '/home/ada' } as ReturnType<typeof userInfo>);
  const env = home === undefined ? {} : { HOME: home };
  expect(configurationPath({ platform: 'linux', env })).toBe(`/home/ada${linux}`);
});

test('an unknown user needs no home folder for a server and a key of the environment or the options', async () => {
  const server = await startServe(['--in-memory'], { env: { HOME: '' } });
  const env = { ...server.env, HOME: '' };
  for (const args of [['list', '--limit', '1'], ['whoami'], ['get', server.processingMemoryId], ['digest']]) {
    expect(await runCli(args, { env })).toMatchObject({ code: 0, stderr: '' });
  }
  const { MEMORY_API_URL, ...withoutUrl } = env;
  expect(await runCli(['list', '--base-url', MEMORY_API_URL], { env: withoutUrl })).toMatchObject({ code: 0 });
});

test.each(['list', 'list --profile work', 'whoami', 'logout', 'login --key-stdin'])(
  '`%s` says to an unknown user what is missing',
  async (line) => {
    const result = await runCli(line.split(' '), { env: { HOME: '' } });
    expect(result).toEqual({ code: 2, stdout: '', stderr: `${noHome}\n` });
  },
);
