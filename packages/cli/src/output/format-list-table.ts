import type { ListedMemory } from '@memory-read/client';
import { uniquePrefixes } from '../ids/unique-prefixes.ts';
import { displayWidth } from '../terminal/fit-text.ts';
import { tableLines } from '../terminal/format-table.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { columnsOf, defaultColumns, type ListColumn, listCells } from './list-columns.ts';
import type { ListField } from './list-fields.ts';

export interface ListTableOptions {
  /** Columns of the terminal. */
  width: number;
  /** Ids of the account. A shown prefix is unique among them. */
  ids: readonly string[];
  fields?: readonly ListField[] | undefined;
}

const gapWidth = 2;
const narrowName = 24;
const narrowTerminal = 60;
/** These columns are cut first. An id is never cut, because a cut id does not identify its memory. */
const longTexts: readonly ListField[] = ['summary', 'name'];

export function listTableLines(
  memories: readonly ListedMemory[],
  { width, ids, fields }: ListTableOptions,
): Iterable<string> {
  const columns = fields === undefined ? defaultColumnsFor(width) : columnsOf(fields);
  const rows = listCells(memories, columns);
  const idColumn = columns.findIndex(({ field }) => field === 'id');
  if (idColumn !== -1 && leavesLittle(rows, columns, width)) shortenIds(rows, idColumn, ids);
  const order = columns
    .map((_, column) => column)
    .filter((column) => column !== idColumn)
    .sort((one, other) => rank(columns, other) - rank(columns, one));
  return tableLines(rows, width, order);
}

function defaultColumnsFor(width: number): readonly ListColumn[] {
  return width < narrowTerminal ? defaultColumns.filter(({ heading }) => heading !== 'LENGTH') : defaultColumns;
}

/** Returns whether columns other than long texts leave too few columns for these. */
function leavesLittle(rows: readonly string[][], columns: readonly ListColumn[], width: number): boolean {
  if (width === Number.POSITIVE_INFINITY) return false;
  let left = width - gapWidth * (columns.length - 1);
  for (const [index, { field }] of columns.entries()) {
    left -= longTexts.includes(field) ? narrowName : widest(rows, index);
  }
  return left < 0;
}

function widest(rows: readonly string[][], column: number): number {
  return rows.reduce((most, row) => Math.max(most, displayWidth(visibleLine(row[column] ?? ''))), 0);
}

function shortenIds(rows: readonly string[][], column: number, ids: readonly string[]): void {
  const prefixes = uniquePrefixes(ids);
  for (const row of rows.slice(1)) {
    const id = row[column] ?? '';
    row[column] = prefixes.get(id) ?? id;
  }
}

/** Long texts are shortened before other columns, and the last one of several first. */
function rank(columns: readonly ListColumn[], column: number): number {
  const field = columns[column]?.field;
  return column + (field !== undefined && longTexts.includes(field) ? columns.length : 0);
}
