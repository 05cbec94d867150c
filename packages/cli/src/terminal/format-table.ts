import { displayWidth, fitText, padText } from './fit-text.ts';
import { mapLazily } from './map-lazily.ts';
import { visibleLine } from './visible-text.ts';

const gap = '  ';
const narrowest = 8;

/**
 * Returns rows as lines of columns, each as wide as its widest cell. The first row is the heading.
 *
 * If the table is wider than `width`, cells are shortened, those of the last column first, or in the order of
 * `shrinkOrder`. Each row is one line, whatever its cells contain, and is formatted when it is read.
 */
export function tableLines(
  rows: readonly (readonly string[])[],
  width: number = Number.POSITIVE_INFINITY,
  shrinkOrder?: readonly number[] | undefined,
): Iterable<string> {
  const visible = rows.map((row) => row.map((cell) => visibleLine(cell)));
  const widest = widestCells(visible);
  const widths = shrink(widest, width, shrinkOrder ?? [...widest.keys()].reverse());
  return mapLazily(visible, (row) => fitText(formatRow(row, widths), width));
}

function formatRow(row: readonly string[], widths: readonly number[]): string {
  const cells = row.map((cell, column) => {
    const width = widths[column] ?? 0;
    return padText(fitText(cell, width), width);
  });
  return cells.join(gap).trimEnd();
}

function widestCells(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, displayWidth(cell));
  }
  return widths;
}

function shrink(widths: readonly number[], width: number, order: readonly number[]): number[] {
  const taken = widths.reduce((sum, each) => sum + each, gap.length * (widths.length - 1));
  let excess = Math.max(0, taken - width);
  const shrunk = [...widths];
  for (const column of order) {
    const widest = widths[column] ?? 0;
    const cut = Math.max(0, Math.min(excess, widest - narrowest));
    excess -= cut;
    shrunk[column] = widest - cut;
  }
  return shrunk;
}
