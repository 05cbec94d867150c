import { pairedDifference, pairedRatio, type Spread, spreadOf } from './statistics.ts';

/** One number, with the goal it is held against. */
export interface Finding {
  /** What was measured, against what. */
  what: string;
  value: Spread;
  /** Follows the number: `×` for a ratio, else a unit. */
  unit: string;
  goal?: Goal | undefined;
}

export type Goal = { atMost: number } | { atLeast: number };

/** Compares two sides, round by round. */
export function ratio(what: string, ours: readonly number[], theirs: readonly number[], goal?: Goal): Finding {
  return { what, value: pairedRatio(ours, theirs), unit: '×', goal };
}

/** States a quantity: a number that is exact, or one that was measured in each round. */
export function amount(what: string, unit: string, measured: number | readonly number[], goal?: Goal): Finding {
  return { what, value: spreadOf(typeof measured === 'number' ? [measured] : measured), unit, goal };
}

/** Subtracts the milliseconds of one side from those of the other, round by round. */
export function difference(what: string, ours: readonly number[], theirs: readonly number[], goal?: Goal): Finding {
  return { what, value: pairedDifference(ours, theirs), unit: 'ms', goal };
}

export function isMet({ value, goal }: Finding): boolean | undefined {
  if (goal === undefined) return undefined;
  return 'atMost' in goal ? value.median <= goal.atMost : value.median >= goal.atLeast;
}
