import type { ReportFormat } from '@memory-read/conformance';
import { Option } from 'commander';
import type { CommandContext } from '../terminal/cli-process.ts';
import { fitToTerminal } from '../terminal/fit-to-terminal.ts';
import { print } from '../terminal/print.ts';
import { isForPeople } from '../terminal/print-result.ts';

/** Options of a command that prints a report. */
export interface ReportOptions extends CommandContext {
  report?: ReportFormat | undefined;
}

export function reportOption(): Option {
  const description = 'pretty by default on a terminal, else json';
  return new Option('--report <format>', description).choices(['pretty', 'json', 'junit']);
}

export async function printReport(
  toText: (format: ReportFormat) => string,
  { process, report }: ReportOptions,
  signal: AbortSignal,
): Promise<void> {
  const format = report ?? (isForPeople({ process }) ? 'pretty' : 'json');
  const text = toText(format);
  await print(process, format === 'pretty' ? fitToTerminal(text, process.stdout) : text, signal);
}
