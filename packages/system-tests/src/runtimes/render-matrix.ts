import type { CaseResult, DriverReport } from './driver/driver-input.ts';
import { faultCases } from './fault-cases.ts';
import type { Runtime } from './runtimes.ts';

/** What a runtime reported, and what the servers saw of it. */
export interface Observed {
  readonly runtime: Runtime;
  readonly report: DriverReport;
  readonly log: string;
  readonly seen: ReadonlyMap<string, number>;
  readonly strangeKeys: readonly string[];
  readonly userAgents: ReadonlySet<string>;
  readonly connectionsElsewhere: number;
}

/** One row a fault: what comes of it, and in each runtime the attempts told and the requests seen. */
export function renderMatrix(all: readonly Observed[]): string {
  const header = ['fault', 'outcome', ...all.map(({ runtime }) => `${runtime.name} ${runtime.version}`)];
  const rows = faultCases.map(({ fault, outcome }, index) => [
    fault,
    outcome,
    ...all.map(({ report, seen }) => renderCell(report.cases[index], seen.get(fault), outcome)),
  ]);
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)));
  return [header, ...rows]
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .join('\n');
}

function renderCell(result: CaseResult | undefined, seen = 0, outcome = ''): string {
  const difference = result?.outcome === outcome ? '' : ` ${result?.outcome}`;
  return `${result?.attempts} told, ${seen} seen${difference}`;
}
