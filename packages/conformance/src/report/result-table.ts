/** A line of a table for people, and the lines below it. */
export interface TableRow {
  status: Status;
  id: string;
  title: string;
  below: readonly string[];
}

type Status = 'passed' | 'failed' | 'skipped' | 'known';

const marks = { passed: 'passed ', failed: 'FAILED ', skipped: 'skipped', known: 'known  ' } as const;

/** Returns the lines of a table. */
export function tableLines(rows: readonly TableRow[]): string[] {
  const width = Math.max(...rows.map(({ id }) => id.length));
  const indent = ' '.repeat(marks.passed.length + 2 + width + 2);
  return rows.flatMap(({ status, id, title, below }) => [
    `${marks[status]}  ${id.padEnd(width)}  ${title}`,
    ...below.map((line) => `${indent}${line}`),
  ]);
}

/** Returns the number of results of each status, such as `2 passed, 1 failed, 0 skipped`. */
export function countsOf(results: readonly { status: Status }[], statuses: readonly Status[]): string {
  return statuses.map((each) => `${results.filter(({ status }) => status === each).length} ${each}`).join(', ');
}
