import type { Sizes } from './sizes.ts';
import type { Spread } from './statistics.ts';

/** One row of the table of benchmarks: what is measured, against whom, and what is to come out. */
export interface Row {
  /** Names the row on the command line and in links. */
  id: string;
  /** Without code: a link to it has to be the same wherever the page is shown. */
  title: string;
  /** What is done, and what makes the work of both sides equal. */
  method: string;
  measure(means: Means): Promise<RowResult>;
}

/** What a row works with. */
export interface Means {
  sizes: Sizes;
  /** An empty folder, removed when all rows are done. */
  folder: string;
}

export interface RowResult {
  findings: readonly Finding[];
  curves?: readonly Curve[] | undefined;
  /** Facts that explain the findings, in full sentences. */
  notes?: readonly string[] | undefined;
  /** Why a goal is missed and what comes next; shown only where one is. */
  explanation?: string | undefined;
}

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

/** How a quantity grows with a size. */
export interface Curve {
  /** Also names the file: letters, digits and dashes. */
  id: string;
  /** Without code: a link to it has to be the same wherever the page is shown. */
  title: string;
  xLabel: string;
  yLabel: string;
  series: readonly { name: string; points: readonly (readonly [x: number, y: number])[] }[];
}

export function isMet({ value, goal }: Finding): boolean | undefined {
  if (goal === undefined) return undefined;
  return 'atMost' in goal ? value.median <= goal.atMost : value.median >= goal.atLeast;
}

/** A number that is exact, and so has no spread. */
export function exactly(value: number): Spread {
  return { median: value, lower: value, upper: value };
}
