/** Keys of the units of a memory. The first unit has the last key. */
export interface KeyRange {
  first: bigint;
  last: bigint;
}

const UNIT_BITS = 16n;
const PLACE_BITS = 29n;

/** Largest key of the index. */
export const MAXIMUM_KEY = 2n ** 63n - 1n;

/** Returns the keys of all units of a slot, or of a memory in it. */
export function keysOf(startSlot: number, disambiguator?: number): KeyRange {
  const slot = BigInt(startSlot) << PLACE_BITS;
  if (disambiguator === undefined) return { first: slot, last: slot + (1n << PLACE_BITS) - 1n };
  return unitKeysOf((slot >> UNIT_BITS) + BigInt(disambiguator));
}

/** Returns the key of the memory that has this unit. */
export function memoryKeyOf(unitKey: bigint): bigint {
  return unitKey >> UNIT_BITS;
}

/** Returns the keys of the units of a memory, by its key in the index. The last one is that of the name. */
export function unitKeysOf(memoryKey: bigint): KeyRange {
  const first = memoryKey << UNIT_BITS;
  return { first, last: first + (1n << UNIT_BITS) - 1n };
}

/** Returns the position of a memory, by its key in the index. */
export function placeOf(memoryKey: bigint): [startSlot: number, disambiguator: number] {
  return [Number(memoryKey >> (PLACE_BITS - UNIT_BITS)), Number(memoryKey & 0x1fffn)];
}
