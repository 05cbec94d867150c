import type { MediaKind, Memory } from '@memory-read/client';
import type { MemoryRecord } from '@memory-read/contract';
import { parseDateTime } from '@memory-read/contract/date-time';
import { fieldNames, mediaKinds, memoryFields } from '@memory-read/contract/fields';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { MirrorError } from '../errors/mirror-error.ts';
import { listStoredMemories, type StoredMedia, type StoredMemory, textReader } from './stored-memories.ts';
import { isDamage } from './stored-version.ts';

const recordFields = fieldNames.filter((name) => ['record', 'processing'].includes(memoryFields[name].from));

const typesBySuffix: Record<string, string> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  webm: 'video/webm',
  mp4: 'video/mp4',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
};
const defaultTypes: Record<MediaKind, string> = {
  audio: 'audio/wav',
  video: 'video/mp4',
  preview_image: 'image/png',
};

/**
 * Yields the memories of the range as records, newest first, with the words of the last version that had words.
 *
 * @throws {@link MirrorError} with the code `damaged` after the others, if some are damaged.
 */
export async function* exportRecords(
  database: MirrorDatabase,
  isInRange: (instant: number) => boolean,
): AsyncGenerator<MemoryRecord, void, undefined> {
  const readText = textReader(database);
  const damaged: string[] = [];
  for (const stored of listStoredMemories(database)) {
    if (!isInRange(parseDateTime(stored.startedAt) ?? 0)) continue;
    let memory: Memory | undefined;
    try {
      memory = readText(stored);
    } catch (error) {
      if (!isDamage(error)) throw error;
      damaged.push(stored.memoryId);
    }
    if (memory !== undefined) yield toRecord(stored, memory);
  }
  if (damaged.length === 0) return;
  const reason = `${damaged.map((id) => JSON.stringify(id)).join(', ')} cannot be read`;
  throw new MirrorError('damaged', `Failed to export all records: ${reason}. Run memory-read mirror --repair.`);
}

function toRecord({ media }: StoredMemory, memory: Memory): MemoryRecord {
  const fields = Object.fromEntries(recordFields.map((name) => [name, memory[name]]));
  const references = mediaKinds.flatMap((kind) => {
    const file = media[kind];
    return file === undefined ? [] : [[kind, referenceOf(kind, file)]];
  });
  return { ...(fields as Omit<MemoryRecord, 'media'>), media: Object.fromEntries(references) };
}

/** The key is the path in the folder `media`, so that a server with this media folder finds the file. */
function referenceOf(kind: MediaKind, { path, contentType }: StoredMedia) {
  const suffix = /\.(\w+)$/.exec(path)?.[1] ?? '';
  const type = contentType ?? typesBySuffix[suffix] ?? defaultTypes[kind];
  return { object_key: path.replace(/^media\//, ''), content_type: fits(kind, type) ? type : defaultTypes[kind] };
}

function fits(kind: MediaKind, type: string): boolean {
  const families = { audio: /^(audio|video)\//, video: /^video\//, preview_image: /^image\/(?!svg)/ };
  return families[kind].test(type);
}
