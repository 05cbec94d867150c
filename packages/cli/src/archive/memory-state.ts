import { createHash } from 'node:crypto';
import type { ListedMemory, Memory } from '@memory-read/client';
import { parseDateTime } from '@memory-read/contract/date-time';
import { type MemoryField, type MemoryFieldName, memoryFields, partFields } from '@memory-read/contract/fields';
import type { Holding } from './archived-memory.ts';

/**
 * Returns a digest of the watched fields of a listed memory. Media URLs differ in each response, so only their presence
 * counts. A field that was added later counts only while it has a value, so that an upgrade alone changes no digest.
 */
export function memoryState(memory: ListedMemory, rows: Readonly<Record<string, MemoryField>> = memoryFields): string {
  const watched = Object.entries(rows).filter(([, row]) => row.watched !== undefined);
  const added = watched.filter(([, row]) => row.addedIn !== undefined);
  const values = (kind: FieldKind) =>
    watched
      .filter(([, row]) => row.addedIn === undefined && kindOf(row) === kind)
      .map(([name, row]) => comparable(memory[name as MemoryFieldName], row));
  return digest([
    // The order is part of the stored digests. With another order, every file would be saved again.
    ...values('scalar'),
    ...values('flag'),
    ...values('object'),
    values('url'),
    ...added
      .filter(([name]) => (memory[name as MemoryFieldName] ?? null) !== null)
      .map(([name, row]) => [name, comparable(memory[name as MemoryFieldName], row)]),
  ]);
}

/** Returns a digest of the fields that a recording depends on. A new name, for example, does not change it. */
export function recordingState(memory: ListedMemory): string {
  return digest(recordingFields.map((name) => comparable(memory[name], memoryFields[name])));
}

const recordingFields = ['started_at', 'ended_at', 'duration_seconds', 'is_processing'] as const;

/** State of a media file that the memory no longer has. */
export const removedState = 'gone';

/**
 * Returns the state of a memory if its details agree with the list. Otherwise one of them is outdated, and the memory
 * must be read again. A list may leave out summaries.
 */
export function agreedState(
  listed: ListedMemory,
  memory: Memory,
  stateOf: (memory: ListedMemory) => string,
): string | undefined {
  const state = stateOf(listed);
  const summary = listed.summary && memory.summary;
  return stateOf({ ...memory, transcript: null, summary }) === state ? state : undefined;
}

/** Returns the content of a memory that can be missing from a later version. */
export function holdingsOf({ is_processing, summary, transcript }: Memory): Holding[] {
  const holdings: [Holding, boolean][] = [
    ['processed', !is_processing],
    ['summary', [comparable(summary, memoryFields.summary)].flat(2).some(hasText)],
    ['transcript', transcript?.segments.some(({ text }) => hasText(text)) === true],
  ];
  return holdings.filter(([, isHeld]) => isHeld).map(([holding]) => holding);
}

type FieldKind = 'scalar' | 'flag' | 'object' | 'url';

function kindOf({ type, from, watched }: MemoryField): FieldKind {
  if (watched === 'presence') return from === 'signer' ? 'url' : 'flag';
  return Object.hasOwn(partFields, type) ? 'object' : 'scalar';
}

/** Returns a value that is equal for all notations of the same content. */
function comparable(value: unknown, { type, watched }: MemoryField): unknown {
  if (watched === 'presence') return Boolean(value);
  if (type === 'date-time') return parseDateTime(String(value)) ?? value;
  const fields = partFields[type as keyof typeof partFields] as object | undefined;
  if (fields === undefined || typeof value !== 'object' || value === null) return value;
  return Object.keys(fields).map((name) => (value as Record<string, unknown>)[name]);
}

function hasText(text: unknown): boolean {
  return typeof text === 'string' && text.trim() !== '';
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
}
