import { rmSync } from 'node:fs';
import { archiveError, explainArchiveError } from './archive-error.ts';
import type { ArchiveFolder } from './archive-folder.ts';
import type { ArchivePart } from './archive-part.ts';
import type { ArchivedFile, ArchivedMemory, Holding } from './archived-memory.ts';
import { digestFile, type FileDigest } from './digest-file.ts';
import type { Manifest } from './manifest.ts';
import { moveFile } from './move-file.ts';

/** A file that is whole, but not in its place yet. */
export interface NewFile extends FileDigest {
  part: ArchivePart;
  /** The name that it is to have in the folder. */
  name: string;
  /** Its name in the work folder until then. */
  source: string;
  holds?: readonly Holding[] | undefined;
  /** The state of the memory that it is up to date with; undefined where a newer one is known to come. */
  state: string | undefined;
}

/** Where files are put, and what is known of them. */
export interface Archive {
  folder: ArchiveFolder;
  manifest: Manifest;
  signal: AbortSignal;
}

/**
 * Puts a file in its place, unless somebody has changed what lies there. The manifest tells of it first: whatever ends
 * the process in between, the next run ends the move. Returns undefined where the same lies there already.
 *
 * @throws CommandError when the file that lies there is not as it was written.
 */
export async function placeFile(
  archive: Archive,
  memory: ArchivedMemory,
  file: NewFile,
): Promise<ArchivedFile | undefined> {
  const { name, source, size, sha256, holds } = file;
  const { folder, manifest } = archive;
  const target = folder.pathOf(name);
  try {
    const known = memory.files[file.part];
    const found = await digestFile(target, archive.signal);
    const written: ArchivedFile = { path: name, size, sha256, holds };
    if (found?.sha256 === sha256) {
      manifest.put(withFile(memory, written, file));
      rmSync(folder.workPathOf(source));
      return undefined;
    }
    if (found && found.sha256 !== known?.sha256) refuseForeign(target, known);
    const replaces = found && { size: found.size, sha256: found.sha256, holds: known?.holds };
    manifest.put(withFile(memory, { ...written, pending: { source, replaces } }, file));
    try {
      moveFile(folder.workPathOf(source), target, found);
    } catch (error) {
      manifest.put(memory);
      throw error;
    }
    manifest.settle(withFile(memory, written, file));
    return written;
  } catch (error) {
    throw explainArchiveError(target, error);
  }
}

function withFile(memory: ArchivedMemory, file: ArchivedFile, { part, state }: NewFile): ArchivedMemory {
  return { ...memory, files: { ...memory.files, [part]: file }, seen: { ...memory.seen, [part]: state } };
}

function refuseForeign(target: string, known: ArchivedFile | undefined): never {
  const problem = known ? 'it was changed since it was written here' : 'memory-read has not written what lies there';
  throw archiveError(target, `${problem}. Move it away, or remove it, and run the command again.`);
}
