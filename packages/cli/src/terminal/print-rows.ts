import { tableLines } from './format-table.ts';
import { jsonLine } from './json-line.ts';
import type { OutputOptions } from './output-options.ts';
import { print } from './print.ts';
import { isForPeople } from './print-result.ts';
import { styleHeading } from './style.ts';
import { terminalWidth } from './terminal-width.ts';

/** How to print rows. */
export interface RowFormat<Row> {
  toJson: (row: Row) => object;
  /** Returns the cells of a table, with its heading. */
  toCells: (rows: readonly Row[]) => string[][];
}

/** Prints a table with a heading for people, and a line of JSON for each row elsewhere. */
export async function printRows<Row>(
  rows: readonly Row[],
  { toJson, toCells }: RowFormat<Row>,
  options: OutputOptions,
  signal: AbortSignal,
): Promise<void> {
  const { process } = options;
  if (rows.length === 0) return;
  const lines = isForPeople(options)
    ? styleHeading(process, tableLines(toCells(rows), terminalWidth(process)))
    : rows.map((row) => jsonLine(toJson(row)));
  await print(process, [...lines].join(''), signal);
}
