import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli, temporaryDirectory } from '../testing/run-cli.ts';

const lines = [
  ['memory-read ver', ['verify']],
  ['memory-read keys ', ['create', 'revoke', 'list', '--help']],
  ['memory-read keys create --ac', ['--account']],
  ['memory-read verify --report ', ['pretty', 'json', 'junit']],
  ['memory-read wait --q', ['--quiet']],
  ['memory-read completion ', ['bash', 'zsh', 'fish', '--help']],
  ['memory-read list --base-url ', []],
] as const;

// Loads the script, splits a line into words as the shell does, and prints the completions.
const askBash = `
source "$1"
read -ra COMP_WORDS <<< "$2"
[[ $2 == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_memory_read
printf '%s\\n' "\${COMPREPLY[@]}"`;

const findShell = (name: string) =>
  (process.env.PATH ?? '')
    .split(':')
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
const bash = findShell('bash');
const fish = findShell('fish');
const zsh = findShell('zsh');

test.runIf(bash)('bash completes commands, options and values', async () => {
  const script = await scriptFor('bash');
  const offered = lines.map(([line]) => run(bash, '--norc', '-c', askBash, 'bash', script, line));
  expect(offered).toEqual(lines.map(([, words]) => words));
});

test.runIf(bash)('bash runs nothing of the line that it completes', async () => {
  const script = await scriptFor('bash');
  const mark = join(temporaryDirectory(), 'mark');
  // A word that is typed has no space.
  const touch = `touch\${IFS}${mark}`;
  for (const command of [`$(${touch})`, `\`${touch}\``, `;${touch};`, `a[$(${touch})]`]) {
    for (const line of [`memory-read ${command} `, `memory-read list ${command}`, `${command} `])
      run(bash, '--norc', '-c', askBash, 'bash', script, line);
    expect(existsSync(mark), command).toBe(false);
  }
});

test.runIf(fish)('fish completes commands, options and values, where it is installed', async () => {
  const script = await scriptFor('fish');
  for (const [line, words] of lines.slice(0, -1)) {
    const candidates = run(fish, '--no-config', '-c', `source ${script}; complete -C '${line}'`);
    // fish offers options only after a dash.
    const expected = words.filter((word) => line.includes('--') || !word.startsWith('--'));
    expect(candidates.map((candidate) => candidate.split('\t')[0])).toEqual(expect.arrayContaining(expected));
  }
});

test.runIf(zsh)('zsh loads its script without an error, where it is installed', async () => {
  expect(run(zsh, '-f', '-n', await scriptFor('zsh'))).toEqual([]);
});

test('rejects an unknown shell as incorrect usage', async () => {
  expect(await runCli(['completion', 'tcsh'])).toMatchObject({ code: 2, stdout: '' });
});

function run(program: string | undefined, ...args: string[]): string[] {
  return execFileSync(program ?? '', args, { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
}

async function scriptFor(shell: string): Promise<string> {
  const path = join(temporaryDirectory(), `memory-read.${shell}`);
  writeFileSync(path, (await runCli(['completion', shell])).stdout);
  return path;
}
