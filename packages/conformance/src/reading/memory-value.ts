/** What should be a memory: the fields of section 2.1, each of any type. */
export type MemoryValue = Record<string, unknown>;

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is MemoryValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A memory that can be requested by its id. */
export type AddressableMemory = MemoryValue & { id: string };

/** Whether the id of a memory can stand in a path: URLs resolve dot segments, and no lone surrogate can be encoded. */
export function isAddressable(memory: MemoryValue): memory is AddressableMemory {
  const { id } = memory;
  return typeof id === 'string' && !['', '.', '..'].includes(id) && !/\p{Surrogate}/u.test(id);
}

/** The segments of a memory that are objects; none where there is no transcript. */
export function segmentsOf(memory: MemoryValue): MemoryValue[] {
  const segments = isObject(memory.transcript) ? memory.transcript.segments : undefined;
  return Array.isArray(segments) ? segments.filter(isObject) : [];
}

/** The ids of a list, as far as they are strings. */
export function idsOf(memories: readonly MemoryValue[]): Set<string> {
  return new Set(memories.map(({ id }) => id).filter((id) => typeof id === 'string'));
}
