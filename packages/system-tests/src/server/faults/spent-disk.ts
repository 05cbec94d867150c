import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from '@memory-read/test-kit/repository';

/** The state of the disk: full, almost full, or read-only. */
export type Disk = 'full' | 'small' | 'read-only';

/** The result of a command on such a disk. */
export interface DiskResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

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
export async function runOnDisk(disk: Disk, folder: string, { args, input = '' }: DiskCommand): Promise<DiskResult> {
  const script = `
    folder=$1; disk=$2; shift 2
    mount -t tmpfs -o size=384k tmpfs "$disk" && cp -r "$folder"/* "$disk" && cd "$disk" || exit 99
    { ${prepare[disk]}; } || exit 98
    timeout 30 "$@"; code=$?
    rm -rf "$folder"/* && cp -r "$disk"/* "$folder" || exit 97
    exit $code
  `;
  const main = join(root, 'packages', 'cli', 'dist', 'main.js');
  const mountPoint = mkdtempSync(join(folder, '..', 'memory-read-disk-'));
  const command = ['-Urm', 'sh', '-c', script, 'sh', folder, mountPoint, process.execPath, main, ...args];
  const child = spawn('unshare', command, { env: { ...process.env, NODE_COMPILE_CACHE: '' } });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, stdout, stderr: stderr.replaceAll(`${mountPoint}/`, '') };
}

interface DiskCommand {
  args: readonly string[];
  input?: string | undefined;
}
