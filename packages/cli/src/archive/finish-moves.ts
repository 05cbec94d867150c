import { lstatSync, rmSync } from 'node:fs';
import { digestFile } from '../files/digest-file.ts';
import { moveFile } from '../files/move-file.ts';
import type { ArchivePart } from './archive-part.ts';
import type { ArchivedFile, PendingMove } from './archived-memory.ts';
import type { Archive } from './place-files.ts';

/** Finishes the moves of a run that was killed, so that the manifest matches the folder. */
export async function finishMoves(archive: Archive): Promise<void> {
  for (const memory of archive.manifest.entries()) {
    const files = { ...memory.files };
    const seen = { ...memory.seen };
    for (const part of Object.keys(files) as ArchivePart[]) {
      const { pending, ...file } = files[part] as ArchivedFile;
      if (!pending) continue;
      const isDone = await finishMove(file, pending, archive);
      // Another program has changed the file, so the memory is read again.
      files[part] = isDone ? file : pending.replaces && { path: file.path, ...pending.replaces };
      if (!isDone) seen[part] = undefined;
    }
    const isPending = Object.values(memory.files).some((file) => file?.pending);
    if (isPending) archive.manifest.settle({ ...memory, files, seen });
  }
}

/** Returns whether the file is at its final path afterwards. */
async function finishMove(file: ArchivedFile, pending: PendingMove, { folder, signal }: Archive): Promise<boolean> {
  const [target, source] = [folder.pathOf(file.path), folder.workPathOf(pending.source)];
  const { replaces } = pending;
  try {
    const waiting = await digestFile(source, signal);
    if (waiting === undefined && isOfSize(target, file.size) && file.size !== replaces?.size) return true;
    const found = await digestFile(target, signal);
    const isThere = found?.sha256 === file.sha256;
    if (waiting?.sha256 !== file.sha256) return isThere;
    if (isThere) rmSync(source);
    else if (found?.sha256 === replaces?.sha256) moveFile(source, target, found);
    else return false;
    return true;
  } catch {
    signal.throwIfAborted();
    // The next change of the file reports the failure.
    return false;
  }
}

/** A finished move leaves no file in the work folder, so that a large file is not read again. */
function isOfSize(path: string, size: number): boolean {
  const status = lstatSync(path, { throwIfNoEntry: false });
  return status?.isFile() === true && status.size === size;
}
