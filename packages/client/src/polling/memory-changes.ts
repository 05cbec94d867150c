import type { ListedMemory } from '@memory-read/contract';
import { factsOf } from '../response-info.ts';
import { idOf } from '../validation/left-out.ts';
import { asReported, changedFields, createFingerprint, type Fingerprint, isReported, missing } from './fingerprint.ts';
import { byId } from './poll-source.ts';
import type { MemoryChange } from './watch-options.ts';

/** A change, and the fingerprint to store once it was handled; undefined removes the memory from the state. */
export interface ChangeStep {
  readonly change: MemoryChange;
  readonly memoryId: string;
  readonly fingerprint: Fingerprint | undefined;
}

/** Returns the differences between the known memories and a list, oldest first and missing ones last. */
export function findChanges(known: ReadonlyMap<string, Fingerprint>, list: readonly ListedMemory[]): ChangeStep[] {
  const listed = byId(list);
  const steps = [...listed.values()].reverse().flatMap((memory) => compare(known.get(memory.id), memory));
  // An item without a readable id may be any of the known memories. A copied list may lack any of them.
  const present = new Set([
    ...(factsOf(list)?.items.map(({ memoryId }) => memoryId) ?? [undefined]),
    ...list.map(idOf),
  ]);
  if (present.has(undefined)) return steps;
  for (const [memoryId, fingerprint] of known) {
    if (present.has(memoryId) || fingerprint === missing) continue;
    const left = isReported(fingerprint) ? missing : undefined;
    steps.push({ change: { type: 'missing', memoryId }, memoryId, fingerprint: left });
  }
  return steps;
}

function compare(before: Fingerprint | undefined, memory: ListedMemory): ChangeStep[] {
  const wasReported = isReported(before ?? '');
  const isNewlyProcessed = memory.is_processing === false && !wasReported;
  const after = createFingerprint(memory, wasReported);
  const step = (change: MemoryChange, fingerprint: Fingerprint) => ({ change, memoryId: memory.id, fingerprint });
  const processed = isNewlyProcessed ? [step({ type: 'processed', memory }, asReported(after))] : [];
  if (before === undefined || before === missing) return [step({ type: 'added', memory }, after), ...processed];
  if (isNewlyProcessed) return processed;
  const fields = changedFields(before, memory);
  // A fingerprint with times as texts is from a version without named parts.
  const isSame = before === after || (fields.length === 0 && before.includes('='));
  return isSame ? [] : [step({ type: 'changed', memory, fields }, after)];
}
