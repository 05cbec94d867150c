import type { MirrorWarning } from '@memory-read/mirror';
import { findInMirror } from '../ids/mirror-source.ts';
import type { MirrorOption } from '../options/mirror-option.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { note } from '../terminal/note.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { printResult } from '../terminal/print-result.ts';
import { findMirror } from './find-mirror.ts';
import { withMirror } from './with-mirror.ts';

/** Removes a memory from a mirror for good. */
export async function runPurge(given: string, options: MirrorOption & OutputOptions): Promise<void> {
  const signal = abortOnInterruption(options.process);
  const folder = findMirror(options.process, options.mirror);
  const onWarning = ({ message }: MirrorWarning) => note(`Warning: ${message}`, options);
  const { memoryId, leftFiles, pendingFolders, logPending } = await withMirror(
    { folder, onWarning },
    async (mirror) => {
      const memoryId = await findInMirror(mirror, given, 'purge', { ...options, signal, isId: true });
      return { memoryId, ...(await mirror.purge(memoryId)) };
    },
  );
  const left = leftFiles.map((path) => `\nKept ${path}, which you edited or moved. Delete it if you do not need it.`);
  const pending = pendingFolders.map((path) => `\n${path} is away. The next export to it removes the files there.`);
  const text = `Removed ${memoryId} from ${folder}. Later runs of mirror do not read it again.`;
  const json = { event: 'purged', memoryId, leftFiles, pendingFolders, logPending };
  await printResult({ json, text: [text, ...left, ...pending].join('') }, options, signal);
}
