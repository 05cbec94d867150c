/** Returns numbers from 0 to below 1, the same for the same seed. */
export type Random = () => number;

/** Mulberry32: small, and the same on every machine. */
export function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns one of the items. */
export function oneOf<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

/** Random choices of a seed. */
export type Choices = ReturnType<typeof choicesOf>;

/** Returns random choices that depend only on a text. */
export function choicesOf(seed: string) {
  const random = createRandom([...seed].reduce((sum, one) => Math.imul(sum, 31) + (one.codePointAt(0) ?? 0), 7));
  return {
    /** Returns a whole number from one to another, both included. */
    whole: (from: number, to: number) => from + Math.floor(random() * (to - from + 1)),
    pick: <Item>(items: readonly Item[]) => oneOf(random, items),
    isTrue: (share: number) => random() < share,
  };
}
