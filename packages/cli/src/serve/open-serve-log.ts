import type { CliProcess } from '../terminal/cli-process.ts';
import { createLineWriter } from './create-line-writer.ts';
import { createRequestLog, type RequestLog } from './create-request-log.ts';
import { defaultLogFormat, type LogFormat } from './log-format.ts';

/** The log of `serve` on standard error. */
export interface ServeLog extends RequestLog {
  /** Resolves after all lines are written, or after one second. */
  drain(): Promise<void>;
}

export function openServeLog(process: CliProcess, format: LogFormat = defaultLogFormat(process)): ServeLog {
  const now = () => new Date();
  const describeGap = (lines: number) =>
    format === 'json'
      ? JSON.stringify({ time: now().toISOString(), level: 'warn', event: 'lines-left-out', lines })
      : `Dropped ${lines === 1 ? '1 log line' : `${lines} log lines`}: standard error was not read in time.`;
  const { write, drain } = createLineWriter(process.stderr, { describeGap });
  return { ...createRequestLog({ process, format, writeLine: write, now }), drain };
}
