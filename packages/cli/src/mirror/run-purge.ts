import type { MirrorOption } from '../options/mirror-option.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { printResult } from '../terminal/print-result.ts';
import { findMirror } from './find-mirror.ts';
import { withMirror } from './with-mirror.ts';

/** Removes a memory from a mirror for good. */
export async function runPurge(memoryId: string, options: MirrorOption & OutputOptions): Promise<void> {
  const signal = abortOnInterruption(options.process);
  const folder = findMirror(options.process, options.mirror);
  const { purged, leftFiles, logPending } = await withMirror({ folder }, (mirror) => mirror.purge(memoryId));
  if (!purged) {
    const problem = 'the mirror has no memory with this id, or it was purged. Check the id.';
    throw new CommandError(exitCodes.notFound, `Failed to purge ${JSON.stringify(memoryId)}: ${problem}`);
  }
  const left = leftFiles.map((path) => `\nKept ${path}, which you edited. Delete it if you do not need it.`).join('');
  const text = `Removed ${memoryId} from ${folder}. Later runs of mirror do not read it again.${left}`;
  await printResult({ json: { event: 'purged', memoryId, leftFiles, logPending }, text }, options, signal);
}
