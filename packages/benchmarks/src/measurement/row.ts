import type { Finding } from './finding.ts';
import type { Sizes } from './sizes.ts';
import { spreadOf } from './statistics.ts';

/** One row of the table of benchmarks: what is measured, against whom, and what is to come out. */
export interface Row {
  /** Names the row on the command line and in links. */
  id: string;
  /** Without code: a link to it has to be the same wherever the page is shown. */
  title: string;
  /** What is done, and what makes the work of both sides equal. */
  method: string;
  /** Whether it runs in several processes, because one differs from the next. */
  isRepeated?: true | undefined;
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
  /** Facts that explain the findings, in full sentences. */
  notes?: readonly string[] | undefined;
  /** Why a goal is missed and what comes next; shown only where one is. */
  explanation?: string | undefined;
}

/** Summarises what the processes measured. From each of them, the median counts. */
export function acrossProcesses(results: readonly [RowResult, ...RowResult[]]): RowResult {
  const [first] = results;
  const mediansOf = (index: number) => results.map(({ findings }) => findings[index]?.value.median as number);
  return {
    ...first,
    findings: first.findings.map((finding, index) => ({ ...finding, value: spreadOf(mediansOf(index)) })),
  };
}
