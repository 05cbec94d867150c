import { usageError } from '../terminal/command-error.ts';

/** Format of the request log on standard error. */
export type LogFormat = 'json' | 'pretty' | 'none';

/** @throws CommandError if the text is no format. */
export function parseLogFormat(text: string): LogFormat {
  if (text === 'json' || text === 'pretty' || text === 'none') return text;
  throw usageError('--log: it is not a log format. Pass json, pretty or none.');
}

/** Returns `pretty` for a terminal, and `json` elsewhere. */
export function defaultLogFormat(): LogFormat {
  return process.stderr.isTTY === true ? 'pretty' : 'json';
}
