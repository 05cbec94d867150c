import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { openMirror } from '@memory-read/mirror';
import { beforeEach, expect, test } from 'vitest';
import { runCli, temporaryDirectory } from '../testing/run-cli.ts';
import { serveAccount } from '../testing/serve-account.ts';
import { TestProcess } from '../testing/test-process.ts';
import { printIds } from './print-ids.ts';
import { printProfiles } from './print-profiles.ts';

const ids = ['mem_b2', 'mem_a1'];
const kinds = ['audio', 'video', 'preview_image', 'preview'];
const paths = ['notes.jsonl', 'two words', 'memories'];
const folders = ['two words', 'memories'];
const speakers = ['Speaker 1', 'Speaker 2', "a'b"];
const people = ['$(touch mark)', 'Ada Lovelace', 'Bob'];

/** A line, and the suggestions at its end. */
const lines: readonly [line: string, ...words: string[]][] = [
  ['memory-read ver', 'verify'],
  ['memory-read keys ', 'create', 'revoke', 'list'],
  ['memory-read help ke', 'keys'],
  ['memory-read help keys c', 'create'],
  ['memory-read help keys create '],
  ['memory-read keys create --ac', '--account'],
  ['memory-read keys create '],
  ['memory-read list '],
  ['memory-read wait --q', '--quiet'],
  ['memory-read verify --report ', 'pretty', 'json', 'junit'],
  ['memory-read serve --log ', 'json', 'pretty', 'none'],
  ['memory-read list --base-url '],
  ['memory-read completion ', 'bash', 'zsh', 'fish'],
  ['memory-read download mem_a1 ', ...kinds],
  ['memory-read download --output x mem_a1 a', 'audio'],
  ['memory-read download --all ', ...folders],
  ['memory-read download --all --mirror mem', 'memories'],
  ['memory-read get --mirror mem', 'memories'],
  ['memory-read download --all --kind ', ...kinds],
  ['memory-read download --all --kind audio v', 'video'],
  ['memory-read download --all --kind audio --q', '--quiet'],
  ['memory-read get ', ...ids],
  ['memory-read get mem_a', 'mem_a1'],
  ['memory-read get mem_a1 '],
  ['memory-read wait mem_a1 mem_b', 'mem_b2'],
  ['memory-read export --format srt mem_', ...ids],
  ['memory-read finish '],
  ['memory-read import ', ...paths],
  ['memory-read finish mem_a1 no', 'notes.jsonl'],
  ['memory-read serve --db no', 'notes.jsonl'],
  ['memory-read mirror ', ...folders],
  ['memory-read export --all ', ...folders],
  ['memory-read search --mirror mem', 'memories'],
  ['memory-read op', 'open'],
  ['memory-read sto', 'store-check'],
  ['memory-read store-check --', '--postgres', '--json', '--help'],
  ['memory-read open --mirror mem', 'memories'],
  ['memory-read list --profile ', 'default', 'home', 'work'],
  ['memory-read list --profile wo', 'work'],
  ['memory-read purge ', ...ids],
  ['memory-read name ', ...ids],
  ['memory-read name mem_a1 ', ...speakers],
  ['memory-read name --me mem_a1 Speaker', ...speakers.slice(0, 2)],
  ['memory-read name mem_b2 '],
  ['memory-read name mem_a1 x ', ...people],
  ['memory-read people ', 'list', 'rename', 'merge', 'forget', 'undo', 'export', 'import'],
  ['memory-read people rename ', ...people],
  ['memory-read people rename Ada '],
  ['memory-read people merge Bob ', ...people],
  ['memory-read people forget Bo', 'Bob'],
  ['memory-read people import no', 'notes.jsonl'],
  ['memory-read search --speaker ', ...people],
  ['memory-read events ', 'list', 'sinks', 'replay', 'resume', 'remove'],
  ['memory-read events list --type added mi', 'missing'],
  ['memory-read events list --sink ', 'hook', 'phone'],
  ['memory-read events resume ho', 'hook'],
  ['memory-read events replay --sink ph', 'phone'],
];

/** A label with a line break, and one that is an option, are not offered. */
const spoken = [...speakers, 'two\nlines', '--me'].map((speaker, index) => {
  const at = new Date(Date.UTC(2026, 2, 1, 8, index)).toISOString();
  return { speaker, start_at: at, end_at: at, text: `I am ${index}.` };
});

// Loads the script, splits a line into words as the shell does, and prints the completions.
const askBash = `
source "$1"
read -ra COMP_WORDS <<< "$2"
[[ $2 == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_memory_read
printf '%s\\n' "\${COMPREPLY[@]}"`;

// The functions of the completion system work only in its widgets. These replacements print their arguments.
const askZsh = `
compdef() {}
compset() {}
compadd() { shift; print -rl -- $@ }
_describe() { print -rl -- \${\${(P)2}%%:*} }
_files() { [[ $1 == -/ ]] && print -rl -- *(/N) || print -rl -- *(N) }
source $1
words=(\${(z)2})
[[ $2 == *" " ]] && words+=("")
CURRENT=$#words
_memory_read
true`;

const findShell = (name: string) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));

const shells = {
  bash: { path: findShell('bash'), ask: ['--norc', '-c', askBash, 'bash'] },
  zsh: { path: findShell('zsh'), ask: ['-f', '-c', askZsh, 'zsh'] },
  fish: {
    path: findShell('fish'),
    ask: ['--no-config', '-c', 'source $argv[1]; complete -C $argv[2] | string replace -r "\\t.*" ""; true'],
  },
};
type Shell = keyof typeof shells;

let folder = '';
let env: NodeJS.ProcessEnv = {};

beforeEach(async () => {
  folder = temporaryDirectory();
  mkdirSync(join(folder, 'bin'));
  const main = fileURLToPath(new URL('../main.ts', import.meta.url));
  writeFileSync(
    join(folder, 'bin', 'memory-read'),
    `#!/bin/sh\nexec '${process.execPath}' --conditions=@memory-read/source '${main}' "$@"\n`,
    { mode: 0o755 },
  );
  mkdirSync(join(folder, 'config', 'memory-read'), { recursive: true });
  const baseUrl = 'https://api.example.com';
  writeFileSync(
    join(folder, 'config', 'memory-read', 'config.json'),
    JSON.stringify({ baseUrl, profiles: { home: { baseUrl }, work: { baseUrl } } }),
    { mode: 0o600 },
  );
  mkdirSync(join(folder, 'here', 'two words'), { recursive: true });
  writeFileSync(join(folder, 'here', 'notes.jsonl'), '');
  const account = await serveAccount(
    { id: 'mem_a1', started_at: '2026-03-01T08:00:00Z', transcript: { segments: spoken } },
    { id: 'mem_b2', started_at: '2026-03-02T08:00:00Z' },
    { id: `$(touch ${folder}/mark)` },
    { id: 'mem space' },
    { id: '-mem' },
  );
  const mirror = await openMirror({ folder: join(folder, 'here', 'memories') });
  await mirror.sync(account.client, { media: [] });
  for (const [index, person] of people.entries()) await mirror.people.name('mem_a1', speakers[index] ?? '', person);
  for (const sink of ['hook', 'phone']) await mirror.deliver(sink, () => {});
  await mirror.close();
  env = {
    PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    MEMORY_READ_MIRROR: '',
    LC_ALL: 'C.UTF-8',
  };
});

const installed = (Object.keys(shells) as Shell[]).filter((shell) => shells[shell].path);

test.each(installed)('%s completes commands, options, values, files and ids, where it is installed', async (shell) => {
  const script = await scriptFor(shell);
  for (const [line, ...words] of lines) {
    const [last = ''] = line.split(' ').slice(-1);
    // zsh filters the suggestions later.
    const offered = ask(shell, script, line).filter((word) => shell !== 'zsh' || word.startsWith(last));
    expect(offered.map((word) => withoutQuotes(word, shell)).sort(), `${shell}: ${line}`).toEqual(words.sort());
  }
});

test.runIf(shells.bash.path)(
  'bash completes a value after the sign of --option=value, where it is installed',
  async () => {
    const askSplit = askBash.replace('read -ra COMP_WORDS <<< "$2"', 'COMP_WORDS=(memory-read list --status = "$2")');
    const script = await scriptFor('bash');
    const offered = run('bash', ['--norc', '-c', askSplit, 'bash', script, 'processe']);
    expect(offered).toEqual(['processed']);
  },
);

test.runIf(shells.bash.path)(
  'bash runs nothing of the line or of names that it completes, where it is installed',
  async () => {
    const script = await scriptFor('bash');
    const mark = join(folder, 'mark');
    // A word that is typed has no space.
    const touch = `touch\${IFS}${mark}`;
    writeFileSync(join(folder, 'here', `$(touch mark)`), '');
    for (const command of [`$(${touch})`, `\`${touch}\``, `;${touch};`, `a[$(${touch})]`]) {
      const around = [`memory-read ${command} `, `memory-read list ${command}`, `${command} `];
      for (const line of [...around, 'memory-read import ']) ask('bash', script, line);
      expect(existsSync(mark), command).toBe(false);
      expect(existsSync(join(folder, 'here', 'mark'))).toBe(false);
    }
  },
);

test('complete-ids prints at most 100 ids, newest first, and those that the server no longer has at the end', async () => {
  const account = await serveAccount(
    ...Array.from({ length: 120 }, (_, index) => ({
      id: `m${index}`,
      started_at: new Date(Date.UTC(2026, 0, 1) + index * 3_600_000).toISOString(),
    })),
  );
  const mirror = await openMirror({ folder: join(folder, 'large') });
  await mirror.sync(account.client, { media: [] });
  await account.remove('m119');
  await mirror.sync(account.client, { media: [] });
  await mirror.sync(account.client, { media: [] });
  await mirror.close();
  const complete = (prefix: string) =>
    idsIn({ MEMORY_READ_MIRROR: join(folder, 'large') }, prefix)
      .trimEnd()
      .split('\n');
  expect(complete('')).toEqual(Array.from({ length: 100 }, (_, index) => `m${118 - index}`));
  expect(complete('m11').join(' ')).toBe('m118 m117 m116 m115 m114 m113 m112 m111 m110 m11 m119');
});

test('prints nothing without a valid mirror or a valid configuration', () => {
  const broken = join(folder, 'broken');
  mkdirSync(join(broken, 'memory-read'), { recursive: true });
  for (const name of ['mirror.sqlite', 'memory-read/config.json']) writeFileSync(join(broken, name), 'nothing valid');
  for (const place of [join(folder, 'bin'), broken]) {
    for (const prefix of [undefined, 'm']) {
      expect(idsIn({ MEMORY_READ_MIRROR: place }, prefix)).toBe('');
      const process = new TestProcess({ env: { HOME: place, XDG_CONFIG_HOME: place } });
      printProfiles(process, prefix);
      expect(process.stdout.text).toBe('');
    }
  }
});

test('complete-ids prints nothing of a mirror that another program made', async () => {
  const foreign = join(folder, 'foreign');
  await (await openMirror({ folder: foreign })).close();
  const database = new DatabaseSync(join(foreign, 'mirror.sqlite'));
  database.exec(`DROP TABLE memories; CREATE VIEW memories AS
    WITH RECURSIVE endless (x) AS (SELECT 1 UNION ALL SELECT x FROM endless)
    SELECT x AS memory_id, NULL AS missing_since, 0 AS started_at FROM endless`);
  database.close();
  expect(idsIn({ MEMORY_READ_MIRROR: foreign }, '')).toBe('');
});

test('does not show the commands for completion in the help', async () => {
  expect((await runCli(['--help'])).stdout).not.toContain('complete-');
});

function idsIn(mirror: NodeJS.ProcessEnv, prefix: string | undefined): string {
  const process = new TestProcess({ env: mirror });
  printIds(process, prefix);
  return process.stdout.text;
}

/** Outside of a completion, bash quotes names itself. */
function withoutQuotes(word: string, shell: Shell): string {
  return word.replace(/\/$/, '').replaceAll(shell === 'bash' ? '\\' : '\0', '');
}

function ask(shell: Shell, script: string, line: string): string[] {
  return run(shell, [...shells[shell].ask, script, line]);
}

function run(shell: Shell, args: readonly string[]): string[] {
  const { path = '' } = shells[shell];
  return execFileSync(path, args, { encoding: 'utf8', env, cwd: join(folder, 'here') })
    .split('\n')
    .filter(Boolean);
}

async function scriptFor(shell: Shell): Promise<string> {
  const path = join(folder, `memory-read.${shell}`);
  writeFileSync(path, (await runCli(['completion', shell])).stdout);
  return path;
}
