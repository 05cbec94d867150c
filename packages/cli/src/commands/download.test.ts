import { readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordedMedia } from '@memory-read/fixtures';
import { expect, test } from 'vitest';
import { expectFailure, runCli, startDemo, temporaryDirectory } from '../testing/run-cli.ts';

/** Returns a processed memory of a demo that has computed audio but no video, and its recording. */
async function spokenMemory({ baseUrl, apiKey, memories }: Awaited<ReturnType<typeof startDemo>>) {
  const { id = '' } =
    memories.find((each) => each.audio_url?.includes('.wav') && !each.video_url && !each.is_processing) ?? {};
  const response = await fetch(`${baseUrl}/v1/memories/${id}`, { headers: { authorization: `Bearer ${apiKey}` } });
  return { id, bytes: Buffer.from(recordedMedia(await response.json(), 'audio').read()) };
}

test('saves media of one memory in a file named after it, in a folder or at a path', async () => {
  const demo = await startDemo();
  const { env, baseUrl } = demo;
  const { id, bytes } = await spokenMemory(demo);
  const folder = realpathSync(temporaryDirectory());

  const saved = await runCli(['download', id, 'audio'], { env, cwd: folder });
  const [name = '', ...others] = readdirSync(folder);
  expect(others).toEqual([]);
  expect(name).toMatch(/^\d{4}-\d\d-\d\d .* [\da-f]{4}\.wav$/);
  const object = { contentType: 'audio/wav', size: bytes.length, resumedFrom: 0 };
  const event = { event: 'saved', memoryId: id, part: 'audio', path: join(folder, name), ...object };
  expect(JSON.parse(saved.stdout)).toEqual(event);
  expect([saved.code, saved.stderr]).toEqual([0, '']);
  expect(readFileSync(join(folder, name)).equals(bytes)).toBe(true);

  const inNew = await runCli(['download', id, 'audio', '--output', 'new/'], { env, cwd: folder });
  expect(JSON.parse(inNew.stdout)).toMatchObject({ path: join(folder, 'new', name) });
  rmSync(join(folder, 'new'), { recursive: true });

  const other = join(folder, 'talk.wav');
  expect(await runCli(['download', id, 'audio', '--output', other], { env })).toMatchObject({ code: 0 });
  expect(readFileSync(other).equals(bytes)).toBe(true);
  const downloadFrom = (origin: string) =>
    runCli(['download', id, 'audio', '--output', join(folder, 'other.wav'), '--media-origin', origin], { env });
  const notAllowed = /is not allowed\. Check the API, or pass it with --media-origin\.\n$/;
  await expectFailure(downloadFrom('https://media.example.com'), 1, notAllowed);
  expect(await downloadFrom(baseUrl)).toMatchObject({ code: 0 });
  rmSync(join(folder, 'other.wav'));
  const none = runCli(['download', id, 'video', '--output', join(folder, 'none')], { env });
  await expectFailure(none, 4, /^Failed to .*\n$/);
  expect(readdirSync(folder).sort()).toEqual([name, 'talk.wav'].sort());
});

test('replaces an existing file only with --force', async () => {
  const demo = await startDemo();
  const { env } = demo;
  const { id, bytes } = await spokenMemory(demo);
  const folder = realpathSync(temporaryDirectory());
  const output = join(folder, 'talk.wav');
  const download = (...args: string[]) => runCli(['download', id, 'audio', '--output', output, ...args], { env });
  writeFileSync(output, 'mine');
  const exists = `Failed to save "${output}": the file exists. Pass another path, or --force to replace it.\n`;
  await expectFailure(download(), 1, exists);
  expect(readFileSync(output, 'utf8')).toBe('mine');
  expect(await download('--force')).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(output).equals(bytes)).toBe(true);
  expect(readdirSync(folder)).toEqual(['talk.wav']);
});
