import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandTable } from './commands/command-table.ts';
import { exitCodes } from './terminal/command-error.ts';
import { expectFailure, runCli } from './testing/run-cli.ts';
import { spawnCli } from './testing/spawn-cli.ts';

test('as a process, prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(await spawnCli(['--version']).result).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('prints help on standard output if it is requested', async () => {
  const { code, stdout, stderr } = await runCli(['serve', '--help']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('--public-url');
});

test('prints the same help of a command for `help` and `--help`', async () => {
  for (const [line, same] of [
    ['help', '--help'],
    ['', '-h'],
    ['help list', 'list --help'],
    ['help keys create', 'keys create -h'],
  ] as const) {
    const expected = await runCli(same.split(' '));
    expect(expected).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Usage: memory-read') });
    expect(await runCli(line.split(' ').filter(Boolean))).toEqual(expected);
  }
  expect((await runCli(['help'])).stdout).toMatch(/^ {2}help +Print this help, or that of a command\.$/m);
  expect(await runCli(['-V'])).toEqual(await runCli(['--version']));
});

test('the help of every command fits 80 columns, and names no reason and no library', async () => {
  const commands = [
    [],
    ...commandTable.map(({ name }) => [name]),
    ...['create', 'list', 'revoke'].map((name) => ['keys', name]),
    ...['list', 'rename', 'merge', 'forget', 'undo', 'export', 'import'].map((name) => ['people', name]),
    ...['list', 'sinks', 'replay', 'resume', 'remove'].map((name) => ['events', name]),
  ];
  for (const words of commands) {
    const { stdout } = await runCli([...words, '--help']);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).not.toMatch(/because|commander|undici|zod|\bky\b/i);
  }
});

test('the README has every command, and the reference every variable and exit code', async () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  const rows = read('../README.md').match(/^\| `.*$/gm) ?? [];
  const named = rows.flatMap((row) => row.slice(0, row.indexOf(' |')).match(/(?<=`)[a-z-]+(?=`)/g) ?? []);
  expect(named.sort()).toEqual(commandTable.map(({ name }) => name).sort());
  const reference = read('../../../docs/reference/command-line.md');
  const sources = globSync('**/*.ts', { cwd: new URL('.', import.meta.url), exclude: ['**/*.test.ts', 'testing/**'] });
  const variables = sources.flatMap((path) => read(path).match(/\bMEMORY_[A-Z_]+\b/g) ?? []);
  expect([...new Set(variables)].filter((name) => !reference.includes(`\`${name}\``))).toEqual([]);
  const codes = Object.values(exitCodes).filter((code) => !new RegExp(`^\\|.*\\b${code}\\b.*\\|`, 'm').test(reference));
  expect(codes).toEqual([]);
});

test.each([
  ['mirorr', 'there is no command "mirorr". Run memory-read mirror, or memory-read help for all commands.'],
  ['lsit --help', 'there is no command "lsit". Run memory-read list, or memory-read help for all commands.'],
  [
    'help keys revok',
    'there is no command "revok". Run memory-read keys revoke, or memory-read help keys for all commands.',
  ],
  ['help lsit', 'there is no command "lsit". Run memory-read list, or memory-read help for all commands.'],
  ['hush --help', 'there is no such command. Run memory-read help for all commands.'],
  ['keys lsit', 'there is no command "lsit". Run memory-read keys list, or memory-read help keys for all commands.'],
  ['list --x', "unknown option '--x'. Run memory-read help list."],
  [
    'search budget -draft',
    "unknown option '-draft'. To exclude a word, write it after --. Run memory-read help search.",
  ],
  ['get', "missing required argument 'memory-id'. Run memory-read help get."],
  ['keys revoke', "missing required argument 'key-id'. Run memory-read help keys revoke."],
  [
    'judge python3 -u x',
    "unknown option '-u'. Write -- before the command that is judged. Run memory-read help judge.",
  ],
  ['--x', "unknown option '--x'. Run memory-read help."],
])('rejects `%s` with advice', async (line, mistake) => {
  await expectFailure(runCli(line.split(' ')), 2, `Failed to read the command line: ${mistake}\n`);
});

test.each([
  ...['serve --port mrk_hush', 'serve --host mrk_hush --in-memory', 'serve --host Bearer_hush', '{"secret":"hush"}'],
  ...['keys create --account user_1 --expires mrk_hush', 'serve [{"secret":"hush"}]', "serve --key=it's_hush"],
  ...['import mrk_hush --account user_1', 'finish mem_1 x --account mrk_hush', 'keys list --account MRK_hush'],
  ...['keys create --account Bearer_mrk_hush', 'keys list mrk_hush --api-key=hush'],
  // This key is in the environment.
  ...['keys revoke sk-hush', 'serve --port SK-hush', 'keys create --account user_1 --expires sk-hush'],
  ...['import sk-hush --account user_1 --in sk-hush', 'get mem_1 --base-url sk-hush'],
])('rejects %j without repeating what may be a secret', async (line) => {
  const args = line.split(' ').map((word) => word.replace(/(Bearer|it's)_/, '$1 '));
  const { code, stderr } = await runCli(args, { env: { MEMORY_API_KEY: 'sk-hush' } });
  expect(stderr).toMatch(/^Failed to .*\n$/);
  expect(stderr).not.toMatch(/hush/i);
  expect(code).toBeGreaterThan(0);
});

test.runIf(existsSync('/dev/full')).each([[['--help']], [['--version']], [['serve', '--in-memory', '--port', '0']]])(
  '%j ends with 1 and one line when its output cannot be written',
  async (args) => {
    expect(await spawnCli(args, { output: '/dev/full' }).result).toMatchObject({
      code: 1,
      stderr:
        'Failed to print the result: standard output cannot be written (ENOSPC). Redirect it to another file, or free some space.\n',
    });
  },
);

test('ends silently if its reader closes the pipe', async () => {
  const { child, result } = spawnCli(['--help']);
  child.stdout.destroy();
  expect(await result).toMatchObject({ code: 0, stderr: '' });
});
