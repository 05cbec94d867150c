import type { OptionTable } from './check-options.ts';
import { abortSignal, bodySize, count, duration, interval, oneOf } from './option-kinds.ts';
import { headerRecord } from './request-headers.ts';

/** The options of a poll: it is one attempt, and the wait or watch has its own limit. */
export const pollTable: OptionTable = {
  signal: abortSignal,
  timeout: duration,
  maxRetryAfter: interval,
  maxResponseBytes: bodySize,
  validation: oneOf('strict', 'warn', 'skip', 'off'),
  headers: headerRecord,
};

/** The options of a call. */
export const callTable: OptionTable = { ...pollTable, totalTimeout: duration, retries: count };
