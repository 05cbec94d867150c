/** A possible memory: its fields can have any type. */
export type MemoryValue = Record<string, unknown>;

/** Returns whether a JSON value is an object. */
export function isObject(value: unknown): value is MemoryValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A memory that can be requested by its id. */
export type AddressableMemory = MemoryValue & { id: string };

/** Returns whether an id can be part of a path. URLs resolve dot segments, and a lone surrogate cannot be encoded. */
export function isAddressable(memory: MemoryValue): memory is AddressableMemory {
  const { id } = memory;
  return typeof id === 'string' && !['', '.', '..'].includes(id) && !/\p{Surrogate}/u.test(id);
}

/** Returns the segments of a memory that are objects, or none if there is no transcript. */
export function segmentsOf(memory: MemoryValue): MemoryValue[] {
  const segments = isObject(memory.transcript) ? memory.transcript.segments : undefined;
  return Array.isArray(segments) ? segments.filter(isObject) : [];
}

/** Returns the ids of a list that are strings. */
export function idsOf(memories: readonly MemoryValue[]): Set<string> {
  return new Set(memories.map(({ id }) => id).filter((id) => typeof id === 'string'));
}
