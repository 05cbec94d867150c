import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { useFaultServer } from '../client/faults/fault-server/spawn-fault-server.ts';
import { traces } from './archive-traces.ts';
import { runCommand } from './run-command.ts';
import { recordWithAudio, startMediaAccount } from './start-media-account.ts';

const faults = useFaultServer();
const parent = mkdtempSync(join(tmpdir(), 'memory-read-faults-'));
afterAll(() => rmSync(parent, { recursive: true }));

test.each([
  'nothing listens at the address',
  'the connection is reset after the request',
  'a 200 is a sign-in page',
  'a list is an object',
  'a Link names a next page',
])('where %s, a mirror ends with 1 and one line, and its folder is untouched', async (fault) => {
  const folder = join(parent, fault);
  const account = await startMediaAccount(1_000);
  await account.put(recordWithAudio(1));
  expect(await runCommand(['mirror', folder], { env: account.env })).toMatchObject({ code: 0 });
  const before = traces(folder);
  const env = { MEMORY_API_URL: faults().addressOf(fault), MEMORY_API_KEY: 'mrk_hush' };
  const { code, stdout, stderr } = await runCommand(['mirror', folder, '--refresh', '--adopt'], { env });
  expect(stderr).toMatch(/^Failed to [^\n]+?: because [^\n]+\n$/);
  expect(stderr).not.toContain('hush');
  expect([code, stdout]).toEqual([1, '']);
  expect(traces(folder)).toEqual(before);
});
