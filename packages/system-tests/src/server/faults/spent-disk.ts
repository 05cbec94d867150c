import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { endOf, type ProcessEnd } from '@memory-read/test-kit/start-process';

/** The state of the disk: full, almost full, or read-only. */
export type Disk = 'full' | 'small' | 'read-only';

const prepare: Record<Disk, string> = {
  full: 'dd if=/dev/zero of="$disk/filler" bs=4096 2> /dev/null; true',
  small: 'true',
  'read-only': 'mount -o remount,ro "$disk"',
};

/** Whether a process can mount its own disk and make it read-only. Some machines allow this only to root. */
export const canMount =
  spawnSync('unshare', ['-Urm', 'sh', '-c', 'mount -t tmpfs tmpfs "$0" && mount -o remount,ro "$0"', tmpdir()])
    .status === 0;

/** Runs the built command in a copy of the folder on such a disk, and copies the result back into the folder. */
export async function runOnDisk(disk: Disk, folder: string, { args, input = '' }: DiskCommand): Promise<ProcessEnd> {
  const script = `
    folder=$1; disk=$2; shift 2
    mount -t tmpfs -o size=448k tmpfs "$disk" && cp -r "$folder"/* "$disk" && cd "$disk" || exit 99
    { ${prepare[disk]}; } || exit 98
    timeout 30 "$@"; code=$?
    rm -rf "$folder"/* && cp -r "$disk"/* "$folder" || exit 97
    exit $code
  `;
  const main = join(root, 'packages', 'cli', 'dist', 'main.js');
  const mountPoint = mkdtempSync(join(folder, '..', 'memory-read-disk-'));
  const command = ['-Urm', 'sh', '-c', script, 'sh', folder, mountPoint, process.execPath, main, ...args];
  const child = spawn('unshare', command, { env: { ...process.env, NODE_COMPILE_CACHE: '' } });
  const { stderr, ...end } = await endOf(child, input);
  return { ...end, stderr: stderr.replaceAll(`${mountPoint}/`, '') };
}

interface DiskCommand {
  args: readonly string[];
  input?: string | undefined;
}
