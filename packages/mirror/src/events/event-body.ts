import type { Memory } from '@memory-read/client';
import { mediaKinds, memoryFields } from '@memory-read/contract/fields';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { withKnownFields } from '../history/stored-content.ts';
import { ifWhole, readVersion } from '../history/stored-version.ts';
import { idOf } from './event-id.ts';
import type { LogEntry } from './event-log.ts';
import type { EventMemory, MemoryEvent, OmittedPart } from './event-types.ts';
import type { EventSettings } from './read-event-options.ts';

type Payload = EventSettings['payload'];

/**
 * Returns an event, and its JSON, which is the same each time. Call it in the snapshot in which its entry was read: a
 * purge would remove its memory.
 */
export function readEvent(
  database: MirrorDatabase,
  entry: LogEntry,
  { payload, maxBytes }: Pick<EventSettings, 'payload' | 'maxBytes'>,
): { event: MemoryEvent; body: string } {
  const hasMemory = entry.type !== 'memory.missing' && payload !== 'reference';
  const memory = hasMemory ? ifWhole(() => readMemory(database, entry, payload)) : undefined;
  const event: MemoryEvent = {
    id: idOf(entry),
    type: entry.type,
    timestamp: new Date(entry.at).toISOString(),
    data: {
      memory_id: entry.memoryId,
      fields: entry.fields.filter((name) => Object.hasOwn(memoryFields, name)),
      ...(memory && { memory }),
      ...(hasMemory && !memory && { omitted: ['memory'] }),
    },
  };
  let body = JSON.stringify(event);
  for (const part of ['transcript', 'summary', 'memory', 'fields'] as const) {
    if (Buffer.byteLength(body) <= maxBytes) break;
    if (omit(event, part)) body = JSON.stringify(event);
  }
  return { event, body };
}

/** Returns the memory as it was then. A memory that is listed again is as it was before it was missing. */
function readMemory(
  database: MirrorDatabase,
  { memoryKey, memoryId, version }: LogEntry,
  payload: Payload,
): EventMemory | undefined {
  // Damage can hide the version, so that the newest one would be an older one.
  const row = database
    .prepare(
      `SELECT * FROM versions WHERE memory_key = :memoryKey AND version = (
        SELECT version FROM events WHERE memory_key = :memoryKey AND version <= :version AND type IN ('added', 'changed')
        ORDER BY version DESC LIMIT 1)`,
    )
    .get({ memoryKey, version });
  return row && toEventMemory(readVersion({ ...row, memory_id: memoryId }), String(row.media), payload);
}

function toEventMemory(stored: Memory, media: string, payload: Payload): EventMemory {
  const { audio_url, video_url, preview_image_url, transcript, summary, ...facts } = withKnownFields(stored);
  const kinds = media.split(' ');
  return {
    ...facts,
    media: mediaKinds.filter((kind) => kinds.includes(kind)),
    summary,
    ...(payload === 'transcript' && { transcript }),
  };
}

/** Removes a part, and returns whether the event had it. */
function omit({ data }: MemoryEvent, part: OmittedPart): boolean {
  if (part === 'fields') {
    if (data.fields.length === 0) return false;
    data.fields = [];
  } else if (part === 'memory') {
    if (data.memory === undefined) return false;
    delete data.memory;
  } else {
    if (!data.memory?.[part]) return false;
    delete data.memory[part];
  }
  data.omitted = [...(data.omitted ?? []), part];
  return true;
}
