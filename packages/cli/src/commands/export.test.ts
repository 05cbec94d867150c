import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectFailure, runCli, startDemo, temporaryDirectory } from '../testing/run-cli.ts';

test('writes one memory to standard output, or to a file without overwriting it', async () => {
  const { env, memories } = await startDemo();
  const { id = '' } = memories.find(({ is_processing }) => !is_processing) ?? {};
  const vtt = await runCli(['export', id, '--format', 'vtt'], { env });
  expect(vtt).toEqual({ code: 0, stdout: expect.stringMatching(/^WEBVTT\n\n00:/), stderr: '' });
  const path = join(temporaryDirectory(), 'notes.vtt');
  const toFile = () => runCli(['export', id, '--format', 'vtt', '--output', path], { env });
  for (const _ of [1, 2]) expect(await toFile()).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(readFileSync(path, 'utf8')).toBe(vtt.stdout);
  const folder = join(temporaryDirectory(), 'new');
  expect(await runCli(['export', id, '--format', 'vtt', '--output', `${folder}/`], { env })).toMatchObject({ code: 0 });
  const [name = '', ...others] = readdirSync(folder);
  expect([name, others]).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d .* [\da-f]{4}\.vtt$/), []]);
  expect(readFileSync(join(folder, name), 'utf8')).toBe(vtt.stdout);
  writeFileSync(path, 'my notes');
  const exists = `Failed to save "${path}": the file exists with other content. Remove it, or pass another path.\n`;
  await expectFailure(toFile(), 1, exists);
  expect(readFileSync(path, 'utf8')).toBe('my notes');
});

test('fails for a missing transcript instead of writing an empty file', async () => {
  const { env, memories } = await startDemo();
  const { id = '' } = memories.find(({ is_processing }) => is_processing) ?? {};
  await expectFailure(
    runCli(['export', id, '--format', 'srt'], { env }),
    1,
    `Failed to export ${JSON.stringify(id)} as srt: it has no transcript yet. Run memory-read wait ${id} first.\n`,
  );
  expect(await runCli(['export', id, '--format', 'json'], { env })).toMatchObject({ code: 0 });
  expect(await runCli(['export', 'mem_none', '--format', 'json'], { env })).toMatchObject({ code: 4, stdout: '' });
});
