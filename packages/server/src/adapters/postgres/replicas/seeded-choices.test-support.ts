/** Returns random choices that depend only on the seed. This package has no test kit, which depends on it. */
export function choicesOf(seed: number) {
  let state = seed * 7_919 + 1;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  /** Returns a whole number from one to another, both included. */
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  return {
    whole,
    pick: <Item>(items: readonly Item[]) => items[whole(0, items.length - 1)] as Item,
    isTrue: (share: number) => random() < share,
  };
}
