import { findInMirror } from '../ids/mirror-source.ts';
import type { MirrorOption } from '../options/mirror-option.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { printResult } from '../terminal/print-result.ts';
import { mirrorFolder } from './find-mirror.ts';
import { changeMirror } from './with-mirror.ts';

/** Removes a memory from a mirror for good. */
export async function runPurge(given: string, options: MirrorOption & OutputOptions): Promise<void> {
  const signal = abortOnInterruption(options.process);
  const { memoryId, leftFiles, pendingFolders, logPending } = await changeMirror(
    { ...options, signal },
    async (mirror) => {
      const memoryId = await findInMirror(mirror, given, 'purge', { ...options, signal, isId: true });
      signal.throwIfAborted();
      return { memoryId, ...(await mirror.purge(memoryId)) };
    },
  );
  const pending = pendingFolders.map((path) => `\n${path} is away. The next export to it removes the files there.`);
  const folder = mirrorFolder(options.process, options.mirror);
  const text = `Removed ${memoryId} from ${folder}. Later runs of mirror do not read it again.`;
  const json = { event: 'purged', memoryId, leftFiles, pendingFolders, logPending };
  await printResult({ json, text: [text, ...leftLines(leftFiles), ...pending].join('') }, options);
  signal.throwIfAborted();
}

/** Returns lines about files that belong to their owner, and stay. */
export function leftLines(leftFiles: readonly string[]): string[] {
  return leftFiles.map((path) => `\nKept ${path}, which you edited or moved. Delete it if you do not need it.`);
}
