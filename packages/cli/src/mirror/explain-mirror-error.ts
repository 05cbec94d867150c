import { isMirrorError, type MirrorErrorCode } from '@memory-read/mirror';
import { explainFileError, fileError, systemCodeOf } from '../files/file-error.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';

/** Translates an error of the mirror to a `CommandError`; returns any other error unchanged. */
export function explainMirrorError(folder: string, error: unknown): unknown {
  if (!isMirrorError(error)) return error;
  const { code, cause } = error;
  if (code === 'other_server') {
    const problem =
      'it holds memories of another server. Choose another folder, or run memory-read mirror --adopt if the server has a new address.';
    return fileError(folder, problem, { cause, exitCode: exitCodes.usage });
  }
  if (code === 'busy') {
    const [ofSink] = /another process is delivering to the sink [a-z0-9_-]+/.exec(error.message) ?? [];
    if (ofSink !== undefined) {
      return fileError(folder, `${ofSink}. End its memory-read watch, then run the command again.`, { cause });
    }
    // The lock of another run has no cause. SQLite does not say which program holds its own lock.
    const problem =
      cause === undefined
        ? 'another memory-read is using it. Wait until it has finished, then run the command again.'
        : 'another program has locked it. Close it, then run the command again.';
    return fileError(folder, problem, { cause });
  }
  if (code === 'unsupported_disk') {
    const problem = 'SQLite cannot lock files there. Keep the mirror on a local disk, and export to the share.';
    return fileError(folder, problem, { cause });
  }
  if (code === 'disk_full') {
    const problem = 'the disk is full. Free some space, then run the command again to resume.';
    return fileError(folder, problem, { action: 'write', cause });
  }
  if (code === 'storage' && systemCodeOf(cause) !== undefined) return explainFileError(folder, cause);
  return new CommandError(exitCodesByCode[code] ?? exitCodes.failed, error.message, { cause });
}

const exitCodesByCode: Partial<Record<MirrorErrorCode, number>> = {
  foreign_folder: exitCodes.usage,
  invalid_option: exitCodes.usage,
  // Commands look for the mirror themselves, so this is a sink or an event.
  not_found: exitCodes.notFound,
  unknown_memory: exitCodes.notFound,
  unknown_speaker: exitCodes.notFound,
  unknown_person: exitCodes.notFound,
};
