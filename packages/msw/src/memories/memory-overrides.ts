import type { MemoryRecord } from '@memory-read/contract';

/** Fields that replace those of a generated memory. An undefined field counts as absent. */
export type MemoryOverrides = { [Field in keyof MemoryRecord]?: MemoryRecord[Field] | undefined };

/** Returns the defined fields. */
export function withoutUndefined(overrides: MemoryOverrides): Partial<MemoryRecord> {
  return Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined));
}
