import { expect, test } from 'vitest';
import { startSilentPostgres } from '../testing/fake-postgres.ts';
import { runCli, startCli } from '../testing/run-cli.ts';

test.each([
  [
    [],
    "Failed to read the command line: required option '--postgres <source>' not specified. Run memory-read help store-check.",
  ],
  [
    ['--postgres', 'env:NOWHERE'],
    'Failed to read --postgres: the environment variable NOWHERE is not set. Set it, or pass another source.',
  ],
  [
    ['--postgres', 'mysql://db'],
    'Failed to read --postgres: it is not the URL of a database. Pass file:PATH, env:NAME or postgres://USER@HOST:PORT/DATABASE.',
  ],
])('%j ends with 2', async (args, message) => {
  expect(await runCli(['store-check', ...args])).toEqual({ code: 2, stdout: '', stderr: `${message}\n` });
});

test('the help names the schemas and the lines of JSON', async () => {
  const { stdout } = await runCli(['store-check', '--help']);
  expect(stdout).toContain('memory_read_check_…');
  expect(stdout).toContain('"elapsedMs"');
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s ends the command at once with %i while the server does not respond', async (signal, code) => {
  const { href, connected } = await startSilentPostgres();
  const { interrupt, result } = startCli(['store-check', '--postgres', href]);
  await connected;
  interrupt(signal);
  expect(await result).toEqual({ code, stdout: '', stderr: `Interrupted by ${signal}.\n` });
});
