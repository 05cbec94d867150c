import type { CliProcess } from '../terminal/cli-process.ts';
import { usageError } from '../terminal/command-error.ts';

export const logFormats = ['json', 'pretty', 'none'] as const;

/** Format of the request log on standard error. */
export type LogFormat = (typeof logFormats)[number];

/** @throws CommandError if the text is not a format. */
export function parseLogFormat(text: string): LogFormat {
  const format = logFormats.find((each) => each === text);
  if (format !== undefined) return format;
  throw usageError('--log: the value is not a format. Pass json, pretty or none.');
}

/** Returns `pretty` for a terminal, and `json` elsewhere. */
export function defaultLogFormat({ stderr }: CliProcess): LogFormat {
  return stderr.isTTY === true ? 'pretty' : 'json';
}
