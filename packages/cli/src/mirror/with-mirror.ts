import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Mirror, type OpenMirrorOptions, openMirror } from '@memory-read/mirror';
import { fileError } from '../files/file-error.ts';
import { gitAdvice } from '../files/git-advice.ts';
import type { MirrorOption } from '../options/mirror-option.ts';
import type { CommandContext } from '../terminal/cli-process.ts';
import { note } from '../terminal/note.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { explainMirrorError } from './explain-mirror-error.ts';
import { databasePath, findMirror, isMirror } from './find-mirror.ts';
import type { MirrorReport } from './mirror-report.ts';

/**
 * Opens a mirror for some work, and closes it.
 *
 * @throws CommandError if the mirror cannot be used.
 */
export async function withMirror<Result>(
  options: OpenMirrorOptions,
  work: (mirror: Mirror) => Promise<Result>,
): Promise<Result> {
  try {
    const mirror = await openMirror(options);
    try {
      return await work(mirror);
    } finally {
      await mirror.close();
    }
  } catch (error) {
    throw explainMirrorError(options.folder, error);
  }
}

/** Opens the mirror of an option for reading. See {@link withMirror}. */
export function readMirror<Result>(
  { process, mirror }: MirrorOption,
  work: (mirror: Mirror) => Promise<Result>,
): Promise<Result> {
  return withMirror({ folder: findMirror(process, mirror), readOnly: true }, work);
}

/**
 * Opens the mirror of an option for work that changes it, and prints its warnings. See {@link withMirror}.
 *
 * If the signal aborts before, nothing is changed. The work prints its result also if the signal aborts later, because the
 * mirror is changed.
 */
export function changeMirror<Result>(
  { mirror: given, signal, ...options }: MirrorOption & OutputOptions & { signal: AbortSignal },
  work: (mirror: Mirror) => Promise<Result>,
): Promise<Result> {
  const onWarning: OpenMirrorOptions['onWarning'] = ({ message }) => note(`Warning: ${message}`, options);
  return withMirror({ folder: findMirror(options.process, given), onWarning }, (mirror) => {
    signal.throwIfAborted();
    return work(mirror);
  });
}

/** Opens the mirror of a run. A dry run only reads it, and creates none. */
export async function withMirrorOfRun<Result>(
  { folder, dryRun, process }: CommandContext & { folder: string; dryRun: boolean },
  report: Pick<MirrorReport, 'warn'>,
  work: (mirror: Mirror) => Promise<Result>,
): Promise<Result> {
  const isNew = !isMirror(folder);
  if (dryRun && isNew) return withEmptyMirror(folder, work);
  return withMirror({ folder, readOnly: dryRun, onWarning: (warning) => report.warn(warning) }, (mirror) => {
    const advice = isNew ? gitAdvice(process, databasePath(mirror.folder)) : undefined;
    if (advice !== undefined) report.warn({ message: advice });
    return work(mirror);
  });
}

/** Opens an empty mirror in a temporary folder, in place of one that does not exist. */
export async function withEmptyMirror<Result>(
  folder: string,
  work: (mirror: Mirror) => Promise<Result>,
): Promise<Result> {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw fileError(folder, 'it is not a folder. Choose a folder.');
  }
  const empty = mkdtempSync(join(tmpdir(), 'memory-read-'));
  try {
    return await withMirror({ folder: empty }, work);
  } finally {
    rmSync(empty, { recursive: true });
  }
}
