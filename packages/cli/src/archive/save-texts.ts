import { existsSync } from 'node:fs';
import type { ListedMemory, Memory } from '@memory-read/client';
import { digestText } from '../files/digest-file.ts';
import { explainFileError } from '../files/file-error.ts';
import { writeNewFile } from '../files/write-whole-file.ts';
import type { ArchiveJob } from './archive-job.ts';
import type { ArchivedFile } from './archived-memory.ts';
import { agreedState, holdingsOf, memoryState } from './memory-state.ts';
import { type NewFile, placeFile } from './place-files.ts';
import { readMemory } from './read-memory.ts';
import { type TextFormat, textFormats } from './text-formats.ts';

/** Reads a memory and writes it in each of the formats. */
export async function saveTexts(listed: ListedMemory, formats: readonly TextFormat[], job: ArchiveJob): Promise<void> {
  if (formats.length === 0) return;
  const memory = await readMemory(listed, job);
  const state = agreedState(listed, memory, memoryState);
  for (const format of formats) {
    const step = { memoryId: listed.id, part: format, signal: job.signal };
    await job.report.runStep(step, () => saveText(format, { memory, listed, state }, job));
  }
}

interface FetchedMemory {
  memory: Memory;
  listed: ListedMemory;
  state: string | undefined;
}

/** Returns the written file, or undefined if the present file stays or there is nothing to write. */
async function saveText(
  format: TextFormat,
  { memory, listed, state }: FetchedMemory,
  job: ArchiveJob,
): Promise<ArchivedFile | undefined> {
  const entry = job.manifest.entryOf(listed);
  const updateState = (file: ArchivedFile | undefined) => {
    const files = { ...entry.files, [format]: file };
    job.manifest.put({ ...entry, files, seen: { ...entry.seen, [format]: state } });
  };
  const { extension, needsTranscript, write } = textFormats[format];
  const known = entry.files[format];
  const isKept = known !== undefined && existsSync(job.folder.pathOf(known.path));
  const holds = holdingsOf(memory);
  const isWorse = known?.holds?.some((holding) => !holds.includes(holding)) === true;
  if ((isKept && isWorse) || (needsTranscript && memory.transcript === null)) {
    updateState(isKept ? known : undefined);
    if (isKept) job.report.countKept();
    return undefined;
  }
  const text = write(memory);
  const digest = digestText(text);
  if (isKept && known.sha256 === digest.sha256) {
    // The content has no new version, so a file that a person has edited stays as it is.
    updateState({ ...known, holds });
    return undefined;
  }
  const name = known?.path ?? `${entry.stem}${extension}`;
  const source = `${digestText(listed.id).sha256.slice(0, 32)}${extension}.tmp`;
  const file: NewFile = { part: format, name, source, ...digest, holds, state };
  try {
    writeNewFile(job.folder.workPathOf(source), text);
  } catch (error) {
    throw explainFileError(job.folder.path, error);
  }
  return placeFile(job, entry, file);
}
