import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { defaultProfile } from '../options/profile-name.ts';
import type { Configuration } from '../options/read-configuration.ts';
import { makeDirectory } from '../storage/make-directory.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';

/**
 * Replaces the configuration file, for its owner only: it has either the old or the new content. Without profiles, the
 * file is removed.
 *
 * @throws CommandError if the file cannot be written. The old one stays.
 */
export function writeConfiguration(path: string, profiles: Configuration): void {
  try {
    const target = followLink(path);
    if (profiles.size === 0) {
      rmSync(target, { force: true });
      return;
    }
    makePrivateFolder(dirname(path));
    replaceFile(target, `${JSON.stringify(toContent(profiles), null, 2)}\n`);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw toCommandError(path, error as NodeJS.ErrnoException);
  }
}

function toContent(profiles: Configuration): object {
  const named = [...profiles].filter(([name]) => name !== defaultProfile);
  // The entries of `fromEntries` are own properties, also if one is named `__proto__`.
  return { ...profiles.get(defaultProfile), ...(named.length > 0 && { profiles: Object.fromEntries(named) }) };
}

/** Returns the file that a symbolic link leads to, so that the link stays. */
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
  const isOpenToOthers = process.platform !== 'win32' && (statSync(folder).mode & 0o077) !== 0;
  if (isOpenToOthers) chmodSync(folder, 0o700);
}

function replaceFile(path: string, content: string): void {
  // A killed login leaves its file, which has a key.
  const folder = dirname(path);
  const left = readdirSync(folder).filter(
    (name) => name.startsWith(`${basename(path)}.`) && /\.[\da-f]{12}\.tmp$/.test(name),
  );
  for (const name of left) rmSync(join(folder, name), { force: true });
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const descriptor = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(descriptor, content);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
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
