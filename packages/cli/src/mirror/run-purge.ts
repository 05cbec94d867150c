import type { MirrorWarning } from '@memory-read/mirror';
import type { MirrorOption } from '../options/mirror-option.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { note } from '../terminal/note.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { printResult } from '../terminal/print-result.ts';
import { findMirror } from './find-mirror.ts';
import { wholeMirrorId } from './whole-mirror-id.ts';
import { withMirror } from './with-mirror.ts';

/** Removes a memory from a mirror for good. */
export async function runPurge(given: string, options: MirrorOption & OutputOptions): Promise<void> {
  const signal = abortOnInterruption(options.process);
  const folder = findMirror(options.process, options.mirror);
  const onWarning = ({ message }: MirrorWarning) => note(`Warning: ${message}`, options);
  const { memoryId, leftFiles, pendingFolders, logPending } = await withMirror(
    { folder, onWarning },
    async (mirror) => {
      const report = await mirror.purge(given);
      if (report.purged) return { memoryId: given, ...report };
      const whole = await wholeMirrorId(mirror, given, 'purge', { ...options, signal });
      return { memoryId: whole, ...(await mirror.purge(whole)) };
    },
  );
  const left = leftFiles.map((path) => `\nKept ${path}, which you edited or moved. Delete it if you do not need it.`);
  const pending = pendingFolders.map((path) => `\n${path} is away. The next export to it removes the files there.`);
  const text = `Removed ${memoryId} from ${folder}. Later runs of mirror do not read it again.`;
  const json = { event: 'purged', memoryId, leftFiles, pendingFolders, logPending };
  await printResult({ json, text: [text, ...left, ...pending].join('') }, options, signal);
}
