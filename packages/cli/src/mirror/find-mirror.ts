import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CliProcess } from '../terminal/cli-process.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { shellArguments, shellQuoted } from '../terminal/shell-quoted.ts';

/** Folder of the mirror without an option, an argument and a variable. */
const defaultFolder = 'memories';

/** Name of the database, without which a folder is not a mirror. */
const databaseName = 'mirror.sqlite';

export function mirrorFolder({ env }: CliProcess, given: string | undefined): string {
  return given ?? (env.MEMORY_READ_MIRROR || defaultFolder);
}

/**
 * Returns the folder of an existing mirror.
 *
 * @throws CommandError if it does not exist.
 */
export function findMirror(process: CliProcess, given: string | undefined): string {
  const folder = mirrorFolder(process, given);
  if (isMirror(folder)) return folder;
  const command = mirrorCommand(folder);
  const advice =
    given === undefined
      ? `Run ${command} first, or pass --mirror.`
      : `Pass the folder that contains ${databaseName}, or run ${command} first.`;
  throw new CommandError(
    exitCodes.usage,
    `Failed to find the mirror: ${JSON.stringify(folder)} is not a mirror. ${advice}`,
  );
}

export function mirrorCommand(folder: string): string {
  return folder === defaultFolder ? 'memory-read mirror' : `memory-read mirror ${shellQuoted(folder)}`;
}

/** Returns a command over a mirror, which is named unless it is the usual one. */
export function commandOn(process: CliProcess, folder: string, command: string, args: readonly string[] = []): string {
  const option = folder === mirrorFolder(process, undefined) ? [] : [`--mirror ${shellQuoted(folder)}`];
  const given = args.length === 0 ? [] : [shellArguments(args)];
  // Options stand before `--`, and else at the end.
  const isLast = given[0]?.startsWith('-') !== true;
  return ['memory-read', command, ...(isLast ? [...given, ...option] : [...option, ...given])].join(' ');
}

export function isMirror(folder: string): boolean {
  return existsSync(databasePath(folder));
}

/** Returns the absolute path of the page of a mirror; null if it is missing. */
export function findIndex(folder: string): string | null {
  const index = resolve(folder, 'index.html');
  return existsSync(index) ? index : null;
}

export function databasePath(folder: string): string {
  return join(folder, databaseName);
}
