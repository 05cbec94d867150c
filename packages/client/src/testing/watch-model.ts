import type { ListedMemory, MemoryChange } from '../index.ts';

/** State of one memory in the model; null while the memory is missing. */
interface Remembered {
  readonly memory: ListedMemory | null;
  readonly isTold: boolean;
}

export type RememberedMemories = ReadonlyMap<string, Remembered>;

const fields = ['name', 'started_at', 'ended_at', 'duration_seconds', 'summary', 'is_processing'] as const;
const urls = ['audio_url', 'video_url', 'preview_image_url'] as const;

/** Returns the changes that a watch must report, computed from whole memories instead of digests. */
export function expectedChanges(remembered: RememberedMemories, list: readonly ListedMemory[]): MemoryChange[] {
  const changes: MemoryChange[] = [];
  if (isRejected(list)) return changes;
  for (const memory of [...list].reverse().filter(isValid)) {
    const before = remembered.get(memory.id);
    const isNew = !before?.memory;
    const isNews = !memory.is_processing && !before?.isTold;
    if (isNew) changes.push({ type: 'added', memory });
    if (isNews) changes.push({ type: 'processed', memory });
    if (isNew || isNews || !before?.memory) continue;
    const differing = differences(before.memory, memory);
    if (differing.length > 0) changes.push({ type: 'changed', memory, fields: differing });
  }
  if (list.some(({ id }) => typeof id !== 'string')) return changes;
  for (const [memoryId, { memory }] of remembered) {
    if (memory && !list.some(({ id }) => id === memoryId)) changes.push({ type: 'missing', memoryId });
  }
  return changes;
}

/** Returns whether a list holds memories, but no valid one. */
export function isRejected(list: readonly ListedMemory[]): boolean {
  return list.length > 0 && !list.some(isValid);
}

/** The histories break a memory by its name. */
export function isValid({ name }: ListedMemory): boolean {
  return name !== null;
}

/** Returns the state after a change was handled. */
export function afterChange(remembered: RememberedMemories, change: MemoryChange): RememberedMemories {
  const after = new Map(remembered);
  if (change.type === 'missing') {
    if (remembered.get(change.memoryId)?.isTold) after.set(change.memoryId, { memory: null, isTold: true });
    else after.delete(change.memoryId);
    return after;
  }
  const { memory } = change;
  const isTold = change.type === 'processed' || remembered.get(memory.id)?.isTold === true;
  return after.set(memory.id, { memory, isTold });
}

/** Returns the compared fields in which two memories differ. */
export function differences(before: ListedMemory, after: ListedMemory): string[] {
  const contentOf = (value: unknown, field: string) =>
    field.endsWith('_at') ? Date.parse(String(value)) : JSON.stringify(value);
  return [
    ...fields.filter((field) => contentOf(before[field], field) !== contentOf(after[field], field)),
    ...urls.filter((field) => (before[field] === null) !== (after[field] === null)),
  ];
}
