import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CliResult, runCli, startServe, temporaryDirectory } from '../testing/run-cli.ts';

interface Demo {
  env: Record<string, string>;
  memories: { id: string; is_processing: boolean }[];
}

async function startDemo(): Promise<Demo> {
  const { baseUrl, apiKey } = await startServe(['--demo', '--in-memory']);
  const env = { MEMORY_API_URL: baseUrl, MEMORY_API_KEY: apiKey };
  const listed = await fetch(`${baseUrl}/v1/memories`, { headers: { authorization: `Bearer ${apiKey}` } });
  return { env, memories: (await listed.json()) as Demo['memories'] };
}

test('writes one memory to standard output, or to a file without overwriting it', async () => {
  const { env, memories } = await startDemo();
  const { id = '' } = memories.find(({ is_processing }) => !is_processing) ?? {};
  const vtt = await runCli(['export', id, '--format', 'vtt'], { env });
  expect(vtt).toEqual({ code: 0, stdout: expect.stringMatching(/^WEBVTT\n\n00:/), stderr: '' });
  const path = join(temporaryDirectory(), 'notes.vtt');
  const toFile = () => runCli(['export', id, '--format', 'vtt', '--output', path], { env });
  for (const _ of [1, 2]) expect(await toFile()).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(readFileSync(path, 'utf8')).toBe(vtt.stdout);
  writeFileSync(path, 'my notes');
  expect(await toFile()).toEqual({
    code: 1,
    stdout: '',
    stderr: `Failed to use "${path}": a file with different content exists already. Remove it, or pass another path.\n`,
  });
  expect(readFileSync(path, 'utf8')).toBe('my notes');
});

test('fails for a missing transcript instead of writing an empty file', async () => {
  const { env, memories } = await startDemo();
  const { id = '' } = memories.find(({ is_processing }) => is_processing) ?? {};
  const { code, stdout, stderr } = await runCli(['export', id, '--format', 'srt'], { env });
  expect(stderr).toBe(
    `Failed to export ${JSON.stringify(id)} as srt: it does not have a transcript. Wait until it is processed.\n`,
  );
  expect([code, stdout]).toEqual([1, '']);
  expect(await runCli(['export', id, '--format', 'json'], { env })).toMatchObject({ code: 0 });
  expect(await runCli(['export', 'mem_none', '--format', 'json'], { env })).toMatchObject({ code: 4, stdout: '' });
});

test('saves all memories in a folder, and ends with 1 if one of them fails', async () => {
  const { env } = await startDemo();
  const folder = join(temporaryDirectory(), 'texts');
  const run = () => runCli(['export', '--all', folder, '--format', 'text'], { env });
  expect(lastLine(await run())).toMatchObject({ event: 'exported', memories: 24, failed: 0 });
  const [name = '', ...others] = readdirSync(folder).filter((each) => each.endsWith('.txt'));
  expect(others.length).toBeGreaterThan(15);
  expect(lastLine(await run())).toMatchObject({ unchanged: 24, saved: 0 });
  const manifest = join(folder, 'memory-read.json');
  const content = JSON.parse(readFileSync(manifest, 'utf8'));
  // Simulates a file that another version of the command has written.
  const memory = content.memories.find(
    ({ files }: { files: { text?: { path: string } } }) => files.text?.path === name,
  );
  Object.assign(memory, { seen: {}, files: { text: { ...memory.files.text, sha256: 'old' } } });
  writeFileSync(manifest, JSON.stringify(content));
  writeFileSync(join(folder, name), 'mine');
  const failed = await run();
  expect(failed.code).toBe(1);
  expect(failed.stderr).toMatch(/^mem_\w+ \(text\): Failed to use .*\nFailed to save 1 file: .*\n$/);
  expect(lastLine(failed)).toMatchObject({ failed: 1, saved: 0 });
});

test.each([
  [['--all', '', '--format', 'srt'], 'the folder: the value is empty. Pass a value, or leave out the option.'],
  [
    ['mem_1', '--format', 'srt', '--format', 'vtt'],
    '--format: it was passed twice. Run the command once for each format.',
  ],
  [
    ['--all', 'folder', '--format', 'srt', '--output', 'x'],
    '--output: with --all, the folder is the argument. Leave it out.',
  ],
  [
    ['mem_1', '--format', 'srt', '--concurrency', '0'],
    '--concurrency: "0" is not a whole number from 1 to 64. Pass one such as 4.',
  ],
])('rejects `export %s` as incorrect usage', async (args, problem) => {
  const { code, stderr } = await runCli(['export', ...args]);
  expect([code, stderr]).toEqual([2, `Failed to read ${problem}\n`]);
});

function lastLine({ stdout }: CliResult): unknown {
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
}
