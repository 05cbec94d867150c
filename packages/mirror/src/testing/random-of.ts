/** Pseudorandom numbers of a seed. */
export type Random = ReturnType<typeof randomOf>;

/** Returns pseudorandom numbers that depend only on a text. */
export function randomOf(seed: string) {
  let state = [...seed].reduce((sum, character) => Math.imul(sum, 31) + (character.codePointAt(0) ?? 0), 7);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  const pick = <Item>(items: readonly Item[]) => items[whole(0, items.length - 1)] as Item;
  return { whole, pick, isTrue: (share: number) => next() < share };
}
