import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectFailure, runCli, temporaryDirectory } from '../testing/run-cli.ts';
import { serveAccount, summary, transcript } from '../testing/serve-account.ts';
import { newDatabase } from '../testing/sqlite-file.ts';

/** Each command with a format, and the formats that only some commands have. */
const commands: readonly [line: string, ...formats: string[]][] = [
  ['list', 'jsonl', 'ndjson'],
  ['get mem_1', 'jsonl', 'ndjson'],
  ['search start', 'jsonl', 'ndjson'],
  ['digest --since 2026'],
  ['export mem_1', 'srt', 'vtt'],
  ['keys list --db DB', 'jsonl', 'ndjson'],
];
const ofAll = { text: ['txt', 'table'], markdown: ['md'], json: [] };

test.each(commands)('`%s` takes every name of a format, and completion and help have them', async (line, ...more) => {
  const { env } = await serveAccount({ transcript, summary });
  const cwd = temporaryDirectory();
  const DB = newDatabase();
  await runCli(['mirror', '--no-media'], { env, cwd });
  await runCli(['keys', 'create', '--account', 'user_1', '--db', DB]);
  const args = line.replace('DB', DB).split(' ');
  const print = async (format: string) => {
    const { code, stdout, stderr } = await runCli([...args, '--format', format], { env, cwd });
    expect({ format, code, stderr }).toEqual({ format, code: 0, stderr: '' });
    return stdout;
  };
  const printed = new Map<string, string>();
  for (const [name, aliases] of Object.entries(ofAll)) {
    printed.set(name, await print(name));
    for (const alias of aliases) expect(await print(alias)).toBe(printed.get(name));
  }
  expect(new Set(printed.values()).size).toBe(3);
  for (const format of more) expect(await print(format)).not.toBe(printed.get('text'));
  const names = [...Object.entries(ofAll).flat(2), ...more];
  const { stdout: help } = await runCli([...args.slice(0, args[0] === 'keys' ? 2 : 1), '--help']);
  const { stdout: completion } = await runCli(['completion', 'bash']);
  for (const name of names) expect(help.replace(/\s+/g, ' ')).toMatch(new RegExp(`choices: [^)]*"${name}"`));
  expect(completion).toContain(`words='text txt table markdown md json`);
  await expectFailure(
    runCli([...args, '--format', 'pdf'], { env, cwd }),
    2,
    /^Failed to read --format: "pdf" is not a format\. Pass \w+(, \w+)* or \w+\.\n$/,
  );
});

const written: readonly [command: string, output: string, beginning: RegExp][] = [
  ['export mem_1', 'a.srt', /^1\n00:00/],
  ['export mem_1', 'A.VTT', /^WEBVTT/],
  ['export mem_1', 'a.md', /^---\n/],
  ['export mem_1', 'a.markdown', /^---\n/],
  ['export mem_1', 'a.txt', /^Speaker 1: Shall we start\?\n$/],
  ['export mem_1', 'a.b.json', /^\{/],
  ['export mem_1 --format srt', 'a.md', /^1\n00:00/],
  ['digest --since 2026', 'week.md', /^# Memories\n/],
  ['digest --since 2026', 'week.txt', /^Memories\n/],
  ['digest --since 2026', 'week.JSON', /^\{/],
  ['digest --since 2026', 'week', /^# Memories\n/],
  ['digest --since 2026 --format md', 'week.json', /^# Memories\n/],
  ['digest --since 2026 --json', 'week.md', /^\{/],
];

test.each(written)('`%s --output %s` has the format of --format, or of the name', async (line, output, beginning) => {
  const { env } = await serveAccount({ transcript, summary });
  const cwd = temporaryDirectory();
  expect(await runCli([...line.split(' '), '--output', output], { env, cwd })).toMatchObject({ code: 0, stdout: '' });
  expect(readFileSync(join(cwd, output), 'utf8')).toMatch(beginning);
});

test('`export` without a format prints text on a terminal, and names what is missing elsewhere', async () => {
  const { env } = await serveAccount({ transcript, summary });
  const cwd = temporaryDirectory();
  const terminal = { stdout: { columns: 80 } };
  const text = await runCli(['export', 'mem_1', '--format', 'txt'], { env });
  expect(text).toMatchObject({ code: 0, stderr: '' });
  expect(await runCli(['export', 'mem_1'], { env, terminal })).toEqual(text);
  expect((await runCli(['export', 'mem_1', '--json'], { env, terminal })).stdout).toMatch(/^\{/);
  for (const output of [[], ['--output', '-'], ['--output', 'a.pdf'], ['--output', 'folder/'], ['--output', 'srt']]) {
    await expectFailure(
      runCli(['export', 'mem_1', ...output], { env, cwd }),
      2,
      /^Failed to export: a format is needed\. Pass --format with one of srt, .*\. Or name a file such as --output talk\.srt\.\n$/,
    );
  }
  expect(existsSync(join(cwd, 'folder'))).toBe(false);
});
