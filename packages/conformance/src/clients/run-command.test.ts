import { isRunning } from '@memory-read/test-kit/is-running';
import { expect, test } from 'vitest';
import { commandEnvironment } from './command-environment.ts';
import { maxOutputBytes, runCommand } from './run-command.ts';

const node = (script: string, ...args: string[]) => [process.execPath, '-e', script, ...args];
const run = (command: string[], options: Partial<Parameters<typeof runCommand>[0]> = {}) =>
  runCommand({ command, env: process.env, timeout: 10_000, ...options });

test('arguments reach the command without a shell', async () => {
  const { stdout } = await run(node('console.log(process.argv.slice(1).join())', '$HOME', '*', 'a b;c'));
  expect(stdout).toBe('$HOME,*,a b;c\n');
});

test.each([
  ['a file as a folder', [`${process.execPath}/x`], 'ENOTDIR'],
  ['a NUL character', ['node', 'a\0b'], 'ERR_INVALID_ARG_VALUE'],
  ['too long arguments', ['node', 'a'.repeat(200_000)], 'E2BIG'],
  ['an unknown program', ['/no/such/program'], 'ENOENT'],
])('a command with %s could not be started', async (_what, command, startError) => {
  expect(await run(command)).toMatchObject({ code: null, signal: null, stdout: '', stopped: { startError } });
});

test('standard input is empty', async () => {
  const { stdout } = await run(node('process.stdin.on("data", console.log).on("end", () => console.log("end"))'));
  expect(stdout).toBe('end\n');
});

test('both outputs, the exit code and a signal are reported', async () => {
  const ended = await run(node('console.log("é"); console.error("no"); process.exitCode = 3'));
  expect(ended).toMatchObject({ code: 3, signal: null, stdout: 'é\n', stderr: 'no\n' });
  expect(await run(node('process.kill(process.pid, "SIGTERM")'))).toMatchObject({ code: null, signal: 'SIGTERM' });
});

/** Prints the id of a process that it starts in its group, which holds standard output open. */
const withChild = 'sleep 60 & echo $!';

test.each([
  ['the timeout', `${withChild}; wait`, { stopped: 'timeout', signal: 'SIGKILL' }],
  ['the end of the command', withChild, { code: 0, signal: null }],
])('%s ends the whole process group', async (_what, script, ending) => {
  const ended = await run(['sh', '-c', script], { timeout: 500 });
  expect(ended).toMatchObject(ending);
  const child = Number(ended.stdout);
  expect(child).toBeGreaterThan(1);
  await expect.poll(() => isRunning(child)).toBe(false);
});

test('an abort ends the command', async () => {
  const controller = new AbortController();
  const ended = run(node('setInterval(() => {}, 1e3)'), { signal: controller.signal });
  controller.abort();
  expect(await ended).toMatchObject({ code: null, signal: 'SIGKILL' });
});

test.each(['stdout', 'stderr'])('too much text on %s ends the command', async (stream) => {
  const ended = await run(node(`setInterval(() => process.${stream}.write('x'.repeat(1e6)))`));
  expect(ended).toMatchObject({ stopped: 'output', signal: 'SIGKILL' });
  expect(ended.stdout.length + ended.stderr.length).toBeLessThanOrEqual(maxOutputBytes);
});

test('a program that does not exist is reported', async () => {
  expect(await run(['/no/such/program'])).toMatchObject({ stopped: { startError: 'ENOENT' }, code: null });
});

test('the environment has no setting of another API, and no proxy', () => {
  const left = { PATH: '/bin', HTTP_PROXIES: '1', MY_MEMORY_API_KEY: 'x' };
  const others = [
    'MEMORY_API_KEY',
    'MEMORY_PROFILE',
    'memory_api_url',
    'HTTP_PROXY',
    'https_proxy',
    'ALL_PROXY',
    'no_proxy',
    'npm_config_https_proxy',
  ];
  const caller = { ...left, ...Object.fromEntries(others.map((name) => [name, 'caller'])) };
  expect(commandEnvironment(caller, { MEMORY_API_KEY: 'own' })).toEqual({ ...left, MEMORY_API_KEY: 'own' });
});
