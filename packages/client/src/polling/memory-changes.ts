import type { ListedMemory } from '@memory-read/contract';
import { asTold, changedFields, createFingerprint, type Fingerprint, gone, isTold } from './fingerprint.ts';
import { byId } from './poll-source.ts';
import type { MemoryChange } from './watch-options.ts';

/** A change, and what is to be remembered once it was taken: a fingerprint, or nothing of the memory any more. */
export interface ChangeStep {
  readonly change: MemoryChange;
  readonly memoryId: string;
  readonly fingerprint: Fingerprint | undefined;
}

/** What differs between what is remembered and a list, oldest memories first, missing ones last. */
export function findChanges(remembered: ReadonlyMap<string, Fingerprint>, list: readonly ListedMemory[]): ChangeStep[] {
  const listed = byId(list);
  const steps = [...listed.values()].reverse().flatMap((memory) => compare(remembered.get(memory.id), memory));
  for (const [memoryId, fingerprint] of remembered) {
    if (listed.has(memoryId) || fingerprint === gone) continue;
    const left = isTold(fingerprint) ? gone : undefined;
    steps.push({ change: { type: 'missing', memoryId }, memoryId, fingerprint: left });
  }
  return steps;
}

function compare(before: Fingerprint | undefined, memory: ListedMemory): ChangeStep[] {
  const wasTold = before !== undefined && isTold(before);
  const isNews = memory.is_processing === false && !wasTold;
  const after = createFingerprint(memory, wasTold);
  const step = (change: MemoryChange, fingerprint: Fingerprint) => ({ change, memoryId: memory.id, fingerprint });
  const processed = isNews ? [step({ type: 'processed', memory }, asTold(after))] : [];
  if (before === undefined || before === gone) return [step({ type: 'added', memory }, after), ...processed];
  if (isNews) return processed;
  const fields = changedFields(before, after);
  return fields.length === 0 ? [] : [step({ type: 'changed', memory, fields }, after)];
}
