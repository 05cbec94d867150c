import { rmSync } from 'node:fs';
import { digestFile, type FileDigest } from '../files/digest-file.ts';
import { explainFileError, fileError } from '../files/file-error.ts';
import { moveFile } from '../files/move-file.ts';
import type { ArchiveFolder } from './archive-folder.ts';
import type { ArchivePart } from './archive-part.ts';
import type { ArchivedFile, ArchivedMemory, Holding } from './archived-memory.ts';
import type { Manifest } from './manifest.ts';

/** A complete file that is still in the work folder. */
export interface NewFile extends FileDigest {
  part: ArchivePart;
  /** Its file name in the folder. */
  name: string;
  /** Its file name in the work folder. */
  source: string;
  holds?: readonly Holding[] | undefined;
  /** The state of the memory that the file is up to date with; undefined if the file is already outdated. */
  state: string | undefined;
}

/** A folder and its manifest. */
export interface Archive {
  folder: ArchiveFolder;
  manifest: Manifest;
  signal: AbortSignal;
}

/**
 * Moves a file into the folder. The manifest records the move first, so that the next run can finish it if the process
 * is killed. Returns undefined if the same content is already there.
 *
 * @throws CommandError if the present file was changed, or was not written by this command.
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
    throw explainFileError(target, error);
  }
}

function withFile(memory: ArchivedMemory, file: ArchivedFile, { part, state }: NewFile): ArchivedMemory {
  return { ...memory, files: { ...memory.files, [part]: file }, seen: { ...memory.seen, [part]: state } };
}

function refuseForeign(target: string, known: ArchivedFile | undefined): never {
  const [action, problem] = known
    ? (['replace', 'it was changed after memory-read wrote it'] as const)
    : (['write', 'another file has this name'] as const);
  throw fileError(target, `${problem}. Move or remove it, then run the command again.`, { action });
}
