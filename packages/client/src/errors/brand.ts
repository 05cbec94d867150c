/** Marks the errors of this package. The symbol is global, so that a second copy of this package and other realms find the same one. */
export const brand: unique symbol = Symbol.for('@memory-read/client/MemoryApiError');
