import { type Finding, isMet } from '../measurement/finding.ts';
import type { Row, RowResult } from '../measurement/row.ts';
import { formatFinding } from './format-finding.ts';

/** A row together with what came out. */
export interface MeasuredRow {
  row: Row;
  result: RowResult;
}

/** Where and how it was measured. */
export interface Surroundings {
  /** The command that writes this page again. */
  command: string;
  machine: string;
  /** Of Node, and of every peer. */
  versions: Record<string, string>;
}

// V8 can collect garbage at moments that hit one side again and again, but not in each process.
const REPEATED = 'The figures are those of the medians of several processes.';

/** The page of all benchmarks, as Markdown. */
export function renderPage(measured: readonly MeasuredRow[], surroundings: Surroundings): string {
  return [
    '# Benchmarks',
    introduction(measured, surroundings),
    ...measured.map(renderRow),
    renderSurroundings(surroundings),
    '',
  ].join('\n\n');
}

function introduction(measured: readonly MeasuredRow[], { command }: Surroundings): string {
  const lead = `\`${command}\` measures these packages and their peers side by side on one machine, and writes this page. A \`×\` is the ratio of two sides that run in turn. The result is the median of all rounds, with the range of the middle half.`;
  const goals = measured.flatMap(({ result }) => goalsOf(result));
  const count = `Of ${goals.length} goals, ${goals.filter(isMet).length} are met.`;
  const missed = measured.flatMap(renderMissed);
  return [lead, missed.length === 0 ? count : `${count} Missed:`, missed.join('\n')].filter(Boolean).join('\n\n');
}

/** One line for a row with goals that are missed. */
function renderMissed({ row, result }: MeasuredRow): string[] {
  const missed = goalsOf(result).filter((finding) => isMet(finding) === false);
  if (missed.length === 0) return [];
  return [`- [${row.title}](#${anchorOf(row.title)}): ${missed.map(({ what }) => what).join('; ')}`];
}

function renderRow({ row, result }: MeasuredRow): string {
  const { findings, notes = [], explanation } = result;
  const isMissed = findings.some((finding) => isMet(finding) === false);
  return [
    `## ${row.title}`,
    row.isRepeated ? `${row.method} ${REPEATED}` : row.method,
    renderTable(findings),
    ...notes,
    ...(isMissed && explanation !== undefined ? [`Why a goal is missed: ${explanation}`] : []),
  ].join('\n\n');
}

function renderTable(findings: readonly Finding[]): string {
  const lines = findings.map((finding) => `| ${[finding.what, ...formatFinding(finding)].join(' | ')} |`);
  return ['| | Result | Goal |', '|---|---|---|', ...lines].join('\n');
}

function renderSurroundings({ machine, versions }: Surroundings): string {
  const list = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `## Measured on\n\n${machine}.\n\n${list.join(', ')}.`;
}

function goalsOf({ findings }: RowResult): Finding[] {
  return findings.filter(({ goal }) => goal !== undefined);
}

/** As those who show Markdown make it of a title. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
