import { readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { WatchState } from '@memory-read/client';
import { writeWholeFile } from '../files/write-whole-file.ts';
import { CommandError, exitCodes, usageError } from '../terminal/command-error.ts';

/** The content of a state file: the state, and the server that it belongs to. */
export interface StoredState extends WatchState {
  /** Digest of the base URL; absent in a state that no command wrote. */
  readonly baseUrl?: string | undefined;
}

/**
 * Reads the state of an earlier watch; returns undefined if there is no file. The client validates the state itself.
 */
export function readStateFile(path: string): StoredState | undefined {
  const text = readIfAny(path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw usageError(
      '--state: the file is not the state of a watch. Pass another path, or remove the file to start again.',
    );
  }
}

/**
 * Replaces the state file atomically, even if the machine fails during the write. A temporary file that is left behind
 * is replaced by the next write. A symbolic link stays a symbolic link.
 */
export function writeStateFile(path: string, state: StoredState): void {
  try {
    const target = targetOf(path);
    writeWholeFile(target, `${JSON.stringify(state)}\n`, `${target}.tmp`, 0o600);
  } catch (error) {
    throw new CommandError(exitCodes.failed, describeFailure(path, error as NodeJS.ErrnoException));
  }
}

function readIfAny(path: string): string | undefined {
  try {
    // Reading a pipe would block until another process writes to it, and a device can be endless.
    const status = statSync(path);
    return status.isFile() || status.isDirectory() ? readFileSync(path, 'utf8') : '';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new CommandError(
      exitCodes.failed,
      `Failed to read --state: the file cannot be read (${code}). Check its path and permissions.`,
    );
  }
}

/** Resolves symbolic links, also those to a file that does not exist yet. */
function targetOf(path: string): string {
  let link: string;
  try {
    link = readlinkSync(path);
  } catch {
    return path;
  }
  return targetOf(resolve(realpathSync(dirname(path)), link));
}

function describeFailure(path: string, { code }: NodeJS.ErrnoException): string {
  const reason = code === 'ENOENT' ? 'its folder does not exist' : `it cannot be written (${code})`;
  return `Failed to write the state ${JSON.stringify(path)}: ${reason}. Check --state.`;
}
