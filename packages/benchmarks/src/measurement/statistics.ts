/** The middle of some numbers, and the quarter points around it. */
export interface Spread {
  median: number;
  /** A quarter of the numbers are below. */
  lower: number;
  /** A quarter of the numbers are above. */
  upper: number;
}

/** @throws RangeError when there is no number. */
export function spreadOf(numbers: readonly number[]): Spread {
  if (numbers.length === 0) throw new RangeError('Failed to summarise: the list is empty. Run a round.');
  const sorted = [...numbers].sort((a, b) => a - b);
  return { median: quantile(sorted, 0.5), lower: quantile(sorted, 0.25), upper: quantile(sorted, 0.75) };
}

/** The ratio of each pair, summarised: what disturbs both sides of a pair cancels out. */
export function pairedRatio(ours: readonly number[], theirs: readonly number[]): Spread {
  return spreadOf(pairs(ours, theirs).map(([our, their]) => our / their));
}

/** The difference of each pair, summarised. */
export function pairedDifference(ours: readonly number[], theirs: readonly number[]): Spread {
  return spreadOf(pairs(ours, theirs).map(([our, their]) => our - their));
}

/** Returns the number below which this share of the numbers is. */
export function percentile(numbers: readonly number[], share: number): number {
  return quantile(
    [...numbers].sort((a, b) => a - b),
    share,
  );
}

/** Between two numbers, as far from each as the share says. */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const [low = Number.NaN, high = low] = sorted.slice(below, below + 2);
  return low + (high - low) * (place - below);
}

function pairs(ours: readonly number[], theirs: readonly number[]): [number, number][] {
  if (ours.length !== theirs.length) {
    throw new RangeError(
      `Failed to pair: one side has ${ours.length} rounds, the other ${theirs.length}. Measure both in each round.`,
    );
  }
  return ours.map((our, index) => [our, theirs[index] as number]);
}
