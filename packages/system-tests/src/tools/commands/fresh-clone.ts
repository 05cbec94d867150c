import { execFileSync, spawn } from 'node:child_process';
import { lchownSync, mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { endOf } from '@memory-read/test-kit/start-process';
import { isRoot, withoutNetwork } from '@memory-read/test-kit/without-network';

/** A clone in a folder with a space in its name, and an empty HOME, like for a new user. */
export interface FreshClone {
  folder: string;
  home: string;
}

const nobody = 65_534;

/** Clones the committed state. It is removed after the test, or with `afterAll` after all tests of the file. */
export function createFreshClone(...atEnd: Parameters<typeof makeFolder>): FreshClone {
  return createCheckout(
    (folder) => execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, folder]),
    ...atEnd,
  );
}

/** Creates a folder with what `fill` writes. If this process is root, it belongs to an ordinary user. */
export function createCheckout(fill: (folder: string) => void, ...atEnd: Parameters<typeof makeFolder>): FreshClone {
  const parent = makeFolder(...atEnd);
  const folder = join(parent, 'the clone');
  const home = join(parent, 'home');
  mkdirSync(home);
  fill(folder);
  if (isRoot) for (const path of [parent, ...below(parent)]) lchownSync(path, nobody, nobody);
  return { folder, home };
}

export interface RunOptions {
  /** No network but loopback. */
  offline?: boolean | undefined;
  /** Folder that comes first in PATH. */
  binaries?: string | undefined;
  env?: Record<string, string> | undefined;
}

/** Starts a command in the clone as its owner, with the Node and npm of the machine and almost no environment. */
export function runIn(
  clone: FreshClone,
  command: readonly string[],
  { offline = false, binaries, env }: RunOptions = {},
) {
  const [program = '', ...args] = [...(offline ? withoutNetwork : []), ...(isRoot ? asNobody : []), ...command];
  return spawn(program, args, {
    cwd: clone.folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { HOME: clone.home, PATH: machinePath(binaries), ...env },
  });
}

/** Runs a command in the clone to its end, and returns its output. Rejects if it prints nothing. */
export async function outputIn(clone: FreshClone, command: readonly string[], options?: RunOptions): Promise<string> {
  const { stdout, stderr } = await endOf(runIn(clone, command, options));
  return stdout === '' ? Promise.reject(new Error(`${command.join(' ')} printed nothing:\n${stderr}`)) : stdout;
}

const asNobody = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];

/** Returns PATH without this repository's own Node, which its scripts have added. */
function machinePath(binaries: string | undefined): string {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  return [...(binaries === undefined ? [] : [binaries]), ...folders, '/usr/sbin', '/sbin'].join(delimiter);
}

function below(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));
}
