import {
  chmodSync,
  closeSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { unlessRefused } from '@memory-read/contract/file-errors';
import { makeDirectory } from '../files/make-directory.ts';
import { defaultProfile } from '../options/profile-name.ts';
import { type Configuration, type Profile, readConfiguration } from '../options/read-configuration.ts';
import { CommandError, exitCodes, isCommandError } from '../terminal/command-error.ts';

/**
 * Changes the profiles of the configuration file, for its owner only: the file has either the old or the new content.
 * Processes that do so at the same time wait for each other. Without profiles, the file is removed, unless it is the
 * target of a link.
 *
 * @throws CommandError if the file is invalid or cannot be written. The old one stays.
 */
export function updateConfiguration(
  path: string,
  change: (profiles: Map<string, Profile>) => void,
  pause = pauseForOthers,
): void {
  try {
    const target = followLink(path);
    makePrivateFolder(dirname(path));
    const makeContent = () => {
      const profiles = new Map(readConfiguration(path));
      change(profiles);
      return profiles.size === 0 && target === path ? undefined : `${JSON.stringify(toContent(profiles), null, 2)}\n`;
    };
    replaceFile(target, makeContent, pause);
  } catch (error) {
    if (isCommandError(error)) throw error;
    throw toCommandError(path, error as NodeJS.ErrnoException);
  }
}

function toContent(profiles: Configuration): object {
  const named = [...profiles].filter(([name]) => name !== defaultProfile);
  // The entries of `fromEntries` are own properties, also if one is named `__proto__`.
  return { ...profiles.get(defaultProfile), ...(named.length > 0 && { profiles: Object.fromEntries(named) }) };
}

/** Returns the target of a symbolic link, so that the link stays. */
function followLink(path: string): string {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path;
  try {
    return realpathSync(path);
  } catch {
    throw writeError(path, 'it is a symbolic link to a file that does not exist', 'Remove it');
  }
}

function makePrivateFolder(folder: string): void {
  makeDirectory(folder, 0o700);
  if (!isOpenToOthers(statSync(folder))) return;
  // The file has permissions of its own.
  unlessRefused(() => chmodSync(folder, 0o700));
}

function isOpenToOthers({ mode }: Stats): boolean {
  return process.platform !== 'win32' && (mode & 0o077) !== 0;
}

/** The temporary file is also the lock: renaming it releases the lock. */
function replaceFile(path: string, makeContent: () => string | undefined, pause: () => void): void {
  const temporary = `${path}.tmp`;
  const descriptor = createAlone(temporary, pause);
  try {
    const content = writeContent(descriptor, { path, makeContent });
    if (content !== undefined) {
      renameSync(temporary, path);
    } else {
      rmSync(path, { force: true });
      rmSync(temporary);
    }
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function writeContent(
  descriptor: number,
  { path, makeContent }: { path: string; makeContent: () => string | undefined },
): string | undefined {
  try {
    const content = makeContent();
    if (content !== undefined && isOpenToOthers(fstatSync(descriptor))) {
      const advice = 'Set XDG_CONFIG_HOME to a folder on a disk with permissions';
      throw writeError(path, 'its disk lets other users read it', advice);
    }
    if (content !== undefined) writeFileSync(descriptor, content);
    unlessRefused(() => fsyncSync(descriptor));
    return content;
  } finally {
    closeSync(descriptor);
  }
}

const attempts = 100;

function pauseForOthers(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
}

/** Creates the file. If it exists in all attempts, a process that was killed left it, and it is replaced. */
function createAlone(path: string, pause: () => void): number {
  const seen = lstatSync(path, { throwIfNoEntry: false })?.ino;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return openSync(path, 'wx', 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 2 * attempts) throw error;
    }
    if (attempt >= attempts && lstatSync(path, { throwIfNoEntry: false })?.ino === seen) rmSync(path, { force: true });
    else pause();
  }
}

const reasons: Record<string, readonly [reason: string, advice: string]> = {
  ENOSPC: ['the disk is full', 'Free some space, then run the command again'],
  EDQUOT: ['the disk is full', 'Free some space, then run the command again'],
  EROFS: ['the disk is read-only', 'Set XDG_CONFIG_HOME to another folder'],
  EACCES: ['permission denied', 'Change its permissions, or those of its folder'],
  EPERM: ['permission denied', 'Change its permissions, or those of its folder'],
  ENOTDIR: ['a part of the path is a file', 'Remove or rename that file'],
};

function toCommandError(path: string, { code = '', message }: NodeJS.ErrnoException): CommandError {
  const [reason, advice] = reasons[code] ?? [`it failed (${code || message})`, 'Check the path and its folder'];
  return writeError(path, reason, advice);
}

function writeError(path: string, reason: string, advice: string): CommandError {
  return new CommandError(exitCodes.failed, `Failed to write ${path}: ${reason}. ${advice}. Nothing was saved.`);
}
