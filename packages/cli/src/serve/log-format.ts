import { usageError } from '../terminal/command-error.ts';

/** How requests are told of on standard error. */
export type LogFormat = 'json' | 'pretty' | 'none';

/** @throws CommandError when the text is no format. */
export function parseLogFormat(text: string): LogFormat {
  if (text === 'json' || text === 'pretty' || text === 'none') return text;
  throw usageError('--log: because it is no format. Pass json, pretty or none.');
}

/** Lines for people on a terminal, lines for programs elsewhere. */
export function defaultLogFormat(): LogFormat {
  return process.stderr.isTTY === true ? 'pretty' : 'json';
}
