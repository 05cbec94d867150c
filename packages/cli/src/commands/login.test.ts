import fs, { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { listen } from '@memory-read/test-kit/listen';
import { sampleListedMemory } from '@memory-read/test-kit/sample-memory';
import { expect, onTestFinished, test, vi } from 'vitest';
import { expectFailure, failing, runCli, startCli, temporaryDirectory, withFunction } from '../testing/run-cli.ts';
import { spawnCli } from '../testing/spawn-cli.ts';

const key = 'sk-hush/+"1';

test('saves a login that one request has tested, and other commands use it', async () => {
  const { baseUrl, requests } = await startServer();
  const home = newHome();
  const { code, stdout, stderr } = await login(home, `${baseUrl}/`, `${key}\r\nmore\n`);
  expect([code, stdout]).toEqual([0, '']);
  expect(stderr).toBe(`Logged in to ${baseUrl} as user_7, 2 memories. Saved in ${home.path} for you alone.\n`);
  expect(requests).toEqual([`GET /v1/memories Bearer ${key}`]);
  expect(readFileSync(home.path, 'utf8')).toBe(`${JSON.stringify({ baseUrl, apiKey: key }, null, 2)}\n`);
  expect(readdirSync(dirname(home.path))).toEqual(['config.json']);
  if (process.platform !== 'win32') expect(statSync(home.path).mode & 0o777).toBe(0o600);
  const whoami = await runCli(['whoami'], { env: home.env });
  expect(JSON.parse(whoami.stdout)).toEqual({
    ...{ baseUrl, baseUrlFrom: home.path, keyFrom: home.path, profile: 'default' },
    ...{ userId: 'user_7', memories: 2, newest: '2026-03-02T08:00:00Z' },
  });
  expect(requests).toHaveLength(2);
  expect(whoami.stdout + whoami.stderr + stderr).not.toContain('hush');
});

test('keeps other profiles and their settings; logout removes one or all', async () => {
  const { baseUrl } = await startServer();
  const other = { baseUrl: 'https://other.test', apiKeyFile: 'key' };
  const named = JSON.parse('{"__proto__": {"baseUrl": "https://odd.test", "apiKey": "odd"}}');
  const home = newHome({ ...other, profiles: { ...named, work: { baseUrl, apiKey: 'old', allowInsecureHttp: true } } });
  const saved = await login(home, baseUrl, key, '--profile', 'work');
  expect(saved.stderr).toContain(
    `Saved in ${home.path} as the profile work for you alone.\nTo use it, pass --profile work, or`,
  );
  expect(home.read()).toEqual({
    ...other,
    profiles: { ...named, work: { baseUrl, apiKey: key, allowInsecureHttp: true } },
  });
  const logout = (...args: string[]) => runCli(['logout', ...args], { env: home.env });
  const removed = (name: string) => ({
    code: 0,
    stdout: '',
    stderr: `Removed the profile ${name} from ${home.path}.\n`,
  });
  expect(await logout('--profile', 'work')).toEqual(removed('work'));
  expect(home.read()).toEqual({ ...other, profiles: named });
  expect(await logout('--profile', 'work')).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Nothing was saved/),
  });
  expect((await logout()).stderr).toContain('The key file key stays.');
  expect(home.read()).toEqual({ profiles: named });
  expect(await logout('--all')).toEqual(removed('__proto__'));
  expect(readdirSync(dirname(home.path))).toEqual([]);
});

test.each([
  ['a refused key', 401, 3, / refuses the key\. Check the key in the account settings\. Nothing was saved\.\n$/],
  ['a wrong address', 404, 1, /answered 404 .*\. Nothing was saved\.\n$/],
  ['a failing server', 500, 1, /answered 500 .*\. Nothing was saved\.\n$/],
])('saves nothing after one request: %s', async (_title, status, exitCode, message) => {
  const { baseUrl, requests } = await startServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"detail":"No"}');
  });
  const home = newHome({ profiles: {} });
  const stderr = await expectFailure(login(home, baseUrl), exitCode, message);
  expect(stderr).toMatch(/^Failed to log in: (?!.*hush)[^\n]+\n$/);
  expect(home.read()).toEqual({ profiles: {} });
  expect(requests).toHaveLength(1);
});

test('names a server that cannot be reached, with advice', async () => {
  const home = newHome();
  const { code, stderr } = await login(home, 'http://127.0.0.1:1');
  expect(stderr).toBe(
    'Failed to log in: http://127.0.0.1:1 cannot be reached. Check the URL and the network, then run the command again. Nothing was saved.\n',
  );
  expect([code, existsSync(home.path)]).toEqual([1, false]);
});

test.each([
  ['an empty line', '\n'],
  ['nothing', ''],
  ['letters with accents', 'mrk_hush_é\n'],
  ['two words', 'hush hush\n'],
  ['a zero', 'hush\0hush\n'],
  ['no end of the line', 'h'.repeat(200_000)],
])('rejects a key before a request: %s', async (_title, input) => {
  const { baseUrl, requests } = await startServer();
  const home = newHome();
  await expectFailure(login(home, baseUrl, input), 2, /^Failed to (?!.*hush)[^\n]+\. [A-Z][^\n]+\.\n$/);
  expect([requests, existsSync(home.path)]).toEqual([[], false]);
});

test('saves all logins of processes that run at the same time', async () => {
  const { baseUrl } = await startServer();
  const home = newHome();
  const names = ['a', 'b', 'c', 'd'];
  const results = await Promise.all(
    names.map((name) => {
      const args = ['login', '--profile', name, '--base-url', baseUrl, '--key-stdin'];
      const { child, result } = spawnCli(args, { env: home.env });
      child.stdin.end(`key-of-${name}`);
      return result;
    }),
  );
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(home.read()).toEqual({
    profiles: Object.fromEntries(names.map((name) => [name, { baseUrl, apiKey: `key-of-${name}` }])),
  });
  expect(readdirSync(dirname(home.path))).toEqual(['config.json']);
});

test.each(['writeFileSync', 'fsyncSync', 'renameSync'] as const)(
  'keeps the old file if the disk is full at %s',
  async (name) => {
    const { baseUrl } = await startServer();
    const old = { baseUrl, apiKey: 'old' };
    const home = newHome(old);
    const { code, stderr } = await withFunction(name, failing('ENOSPC'), () => login(home, baseUrl));
    expect(stderr).toBe(
      `Failed to write ${home.path}: the disk is full. Free some space, then run the command again. Nothing was saved.\n`,
    );
    expect([code, home.read()]).toEqual([1, old]);
    expect(readdirSync(dirname(home.path))).toEqual(['config.json']);
  },
);

test.each(
  (['chmodSync', 'fsyncSync'] as const).flatMap((name) =>
    ['EPERM', 'EINVAL', 'ERR_ACCESS_DENIED'].map((code) => [name, code] as const),
  ),
)('saves the key where %s fails with %s', async (name, code) => {
  const { baseUrl } = await startServer();
  const home = newHome({ baseUrl, apiKey: 'old' });
  fs.chmodSync(dirname(home.path), 0o755);
  const refused = vi.fn(failing(code));
  const result = await withFunction(name, refused, () => login(home, baseUrl));
  expect(refused).toHaveBeenCalled();
  expect([result.code, home.read()]).toEqual([0, { baseUrl, apiKey: key }]);
});

test('saves no key where the disk lets other users read it', async () => {
  const { baseUrl } = await startServer();
  const old = { baseUrl, apiKey: 'old' };
  const home = newHome(old);
  const { openSync } = fs;
  const openToAll: typeof openSync = (path, flags) => openSync(path, flags, 0o644);
  const { code, stderr } = await withFunction('openSync', openToAll, () => login(home, baseUrl));
  const advice = 'Set XDG_CONFIG_HOME to a folder on a disk with permissions. Nothing was saved.';
  expect(stderr).toBe(`Failed to write ${home.path}: its disk lets other users read it. ${advice}\n`);
  expect([code, home.read()]).toEqual([1, old]);
  expect(readdirSync(dirname(home.path))).toEqual(['config.json']);
});

test('rejects a URL that contains the key as wrong usage', async () => {
  const { code, stderr } = await login(newHome(), 'https://a.test/long-hush-key', 'long-hush-key');
  expect(stderr).toMatch(/contains the API key/);
  expect([code, stderr.includes('hush')]).toEqual([2, false]);
});

test('does not change an invalid file, and reports it before a request', async () => {
  const { baseUrl, requests } = await startServer();
  for (const content of ['', '{"baseUrl": "https://a.test",}', '{"version": 9, "apiKey": "hush"}']) {
    const home = newHome(content);
    for (const args of [['login', '--base-url', baseUrl, '--key-stdin'], ['logout'], ['logout', '--all']]) {
      const run = runCli(args, { env: home.env, input: key });
      await expectFailure(run, 2, /^Failed to read \S+config\.json: (?!.*hush)[^\n]+\n$/);
      expect(readFileSync(home.path, 'utf8')).toBe(content);
    }
  }
  expect(requests).toEqual([]);
});

test('rejects http:// to another machine before a request, and saves the permission with the login', async () => {
  const { baseUrl } = await startServer();
  const home = newHome();
  await expectFailure(login(home, 'http://intranet.test'), 2, /would send the key unencrypted to intranet\.test/);
  await login(home, baseUrl, key, '--allow-insecure-http');
  expect(home.read()).toEqual({ baseUrl, apiKey: key, allowInsecureHttp: true });
});

test('notes the variables that override the saved values', async () => {
  const { baseUrl } = await startServer();
  const home = newHome();
  const env = { ...home.env, MEMORY_API_URL: baseUrl, MEMORY_API_KEY: key };
  const args = ['login', '--base-url', baseUrl, '--api-key', 'env:MEMORY_API_KEY'];
  expect((await runCli(args, { env })).stderr).toContain(
    '\nMEMORY_API_URL and MEMORY_API_KEY are set, and override the saved values. To use the saved login, unset them.\n',
  );
  expect((await runCli([...args, '--profile', 'work'], { env })).stderr).toContain(', pass --profile work.\n');
  expect((await runCli(['logout'], { env })).stderr).toContain('\nMEMORY_API_KEY is set, and commands use it.\n');
});

test('logs in to an account without memories, and to one with invalid memories', async () => {
  let body = '[]';
  const { baseUrl } = await startServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(body);
  });
  const home = newHome();
  expect((await login(home, baseUrl)).stderr).toContain(`Logged in to ${baseUrl}, 0 memories. Saved`);
  const whoami = await runCli(['whoami'], { env: home.env });
  expect(JSON.parse(whoami.stdout)).toMatchObject({ userId: null, newest: null });
  body = JSON.stringify([{ user_id: `\u001b[2J${key}` }]);
  const { code, stderr } = await login(home, baseUrl);
  expect([code, stderr]).toEqual([0, expect.stringContaining(' as \\u001b[2J[redacted], 1 memory.')]);
});

test.each(['list', 'get mem_1', 'whoami', 'mcp', 'verify'])(
  '%s says where a base URL with /v1 comes from, and what to do',
  async (command) => {
    const { baseUrl } = await startServer((_request, response) => void response.writeHead(404).end());
    const url = `${baseUrl}/v1`;
    const home = newHome({ baseUrl: url, apiKey: key, profiles: { work: { baseUrl: url, apiKey: key } } });
    const adviceOf = async (args: string[], env = {}) => {
      const { stderr } = await runCli([...command.split(' '), ...args], { env: { ...home.env, ...env } });
      return stderr.replace(/^Failed to .*? (?:answered 404|could be read|ends with \/v1)\. /, '');
    };
    const root = 'the root of the API, without /v1.\n';
    expect(await adviceOf([])).toBe(`The base URL comes from ${home.path}. Run memory-read login with ${root}`);
    expect(await adviceOf(['--profile', 'work'])).toBe(
      `The base URL comes from the profile work. Run memory-read login --profile work with ${root}`,
    );
    expect(await adviceOf([], { MEMORY_API_URL: url, MEMORY_API_KEY: key })).toBe(`Set MEMORY_API_URL to ${root}`);
    expect(await adviceOf(['--base-url', url], { MEMORY_API_URL: url })).toBe(`Pass --base-url with ${root}`);
  },
);

test('login says that the base URL must not have /v1', async () => {
  const { baseUrl } = await startServer((_request, response) => void response.writeHead(404).end());
  const { stderr } = await login(newHome(), `${baseUrl}/v1`);
  expect(stderr).toMatch(
    / answered 404\. Check the base URL: it is probably wrong\. Pass the root of the API, without \/v1\. Nothing was saved\.\n$/,
  );
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('ends on %s with %i while it waits for the key', async (signal, code) => {
  const home = newHome();
  const args = ['login', '--base-url', 'https://api.test', '--key-stdin'];
  const { process, interrupt, result } = startCli(args, { env: home.env });
  await vi.waitUntil(() => process.stdin.listenerCount('readable') > 0);
  interrupt(signal);
  expect(await result).toMatchObject({ code, stderr: `Interrupted by ${signal}.\n` });
  expect(existsSync(home.path)).toBe(false);
});

function login(home: Home, baseUrl: string, input = key, ...args: string[]) {
  return runCli(['login', '--base-url', baseUrl, '--key-stdin', ...args], { env: home.env, input });
}

interface Home {
  env: Record<string, string>;
  path: string;
  read: () => unknown;
}

/** The home folder of a user, with a configuration file. */
function newHome(content?: object | string): Home {
  const folder = temporaryDirectory();
  const path = join(folder, 'memory-read', 'config.json');
  const env = { HOME: folder, USERPROFILE: folder, APPDATA: folder, XDG_CONFIG_HOME: folder };
  if (content !== undefined) {
    mkdirSync(dirname(path));
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });
  }
  return { env, path, read: () => JSON.parse(readFileSync(path, 'utf8')) };
}

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** A server with two memories, which records its requests. */
async function startServer(respond: Respond = respondWithTwo) {
  const requests: string[] = [];
  const server = await listen((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    respond(request, response);
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { baseUrl: server.url, requests };
}

function respondWithTwo(_request: IncomingMessage, response: ServerResponse): void {
  const memories = ['2026-03-02', '2026-03-01'].map((day) =>
    sampleListedMemory({ user_id: 'user_7', started_at: `${day}T08:00:00Z`, ended_at: `${day}T08:10:00Z` }),
  );
  response.setHeader('content-type', 'application/json').end(JSON.stringify(memories));
}
