import type { MemoryRecord } from '@memory-read/contract';

/** Fields that are to differ from those of an ordinary memory. One that is `undefined` is as good as absent. */
export type MemoryOverrides = { [Field in keyof MemoryRecord]?: MemoryRecord[Field] | undefined };

/** The fields that are set. */
export function withoutUndefined(overrides: MemoryOverrides): Partial<MemoryRecord> {
  return Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined));
}
