import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { expect, test } from 'vitest';
import { mountCommand } from './mount-command.ts';

const MEMORIES = 12;

test.for([
  ['database', /^Failed to sync the mirror in "DISK\/mirror": the disk is full\. Free some space, and try again\.$/],
  ['recording', /^Failed to save media to "DISK\/mirror\/media\/[^"]+": the disk is full\. Free some space, /],
] as const)(
  'keeps saved memories if the %s fills the disk, and completes in the next sync',
  async ([full, message], { skip }) => {
    if (mountCommand === undefined) {
      expect(process.env.CI, 'the CI has to allow mounts').toBeUndefined();
      return skip('this user is not allowed to mount a disk, neither in a separate namespace nor with sudo');
    }
    const result = await runOnSmallDisk(mountCommand, full);
    const error = { name: 'MirrorError', code: 'disk_full' };
    expect(result.opened).toMatchObject(error);
    expect(result.spent).toEqual({ error: { ...error, message: expect.stringMatching(message) } });

    expect(result.kept).toMatchObject({ isWhole: true });
    expect(result.keptLater).toEqual(result.kept);
    const { memories, recordings } = result.kept;
    const [done, missing] = full === 'database' ? [memories, MEMORIES - memories] : [recordings, MEMORIES - recordings];
    expect(done).toBeGreaterThan(0);
    expect(missing).toBeGreaterThan(0);

    expect(result.completed).toMatchObject({
      listed: MEMORIES,
      added: MEMORIES - memories,
      unchanged: memories,
      mediaSaved: full === 'recording' ? missing : 0,
    });
    expect(result.all).toEqual({ memories: MEMORIES, recordings: full === 'recording' ? MEMORIES : 0, isWhole: true });
    expect(result.partial).toEqual([]);
  },
);

interface Result {
  opened: unknown;
  spent: unknown;
  kept: { memories: number; recordings: number; isWhole: boolean };
  keptLater: unknown;
  completed: unknown;
  all: unknown;
  partial: string[];
}

async function runOnSmallDisk([program = '', ...args]: readonly string[], full: string): Promise<Result> {
  const script = 'mount -t tmpfs -o size=24m tmpfs "$0" && exec "$@"';
  const node = [
    process.execPath,
    '--conditions=@memory-read/source',
    join(import.meta.dirname, 'full-disk-process.ts'),
  ];
  const folder = makeFolder();
  const child = spawn(program, [...args, 'sh', '-c', script, folder, ...node, folder, full], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return JSON.parse(printed) as Result;
}
