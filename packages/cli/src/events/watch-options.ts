import type { ConnectionOptions } from '../options/connection-options.ts';
import type { DurationPair } from '../options/parse-duration.ts';
import { usageError } from '../terminal/command-error.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import type { EventFlags } from './event-options.ts';

/** Options of `watch`. */
export interface WatchOptions extends ConnectionOptions, OutputOptions, EventFlags {
  /** Shortest and longest pause between two polls. */
  interval?: DurationPair | undefined;
  existing?: boolean | undefined;
  skipExisting?: boolean | undefined;
  allowEmpty?: boolean | undefined;
  /** Folder of the mirror. */
  mirror?: string | undefined;
  exec?: string | undefined;
  /** URL, or `env:NAME` or `file:PATH` of it. */
  webhook?: string | undefined;
  /** `env:NAME` or `file:PATH`. */
  secret?: string[] | undefined;
  sink?: string | undefined;
  maxTries?: number | undefined;
  /** First and longest pause before a retry. */
  retry?: DurationPair | undefined;
  /** Milliseconds of one try. */
  timeout?: number | undefined;
  once?: boolean | undefined;
  /** Whether to read the API. */
  sync: boolean;
}

const ofMirror = [
  ...(['mirror', 'exec', 'webhook', 'secret', 'sink', 'type', 'payload', 'maxBytes', 'maxTries', 'retry'] as const),
  ...(['timeout', 'once'] as const),
];

/**
 * Returns whether the options need a mirror: any of them that is about events and their deliveries does.
 *
 * @throws CommandError for options that do not fit together.
 */
export function needsMirror(options: WatchOptions): boolean {
  const { interval, existing, allowEmpty, secret, webhook } = options;
  const isRange = interval !== undefined && interval.from !== interval.to;
  const isNeeded = !options.sync || isRange || ofMirror.some((name) => options[name] !== undefined);
  if (secret !== undefined && webhook === undefined) {
    throw usageError('--secret: it signs the events of a webhook. Pass --webhook too, or leave it out.');
  }
  if (isNeeded && existing) {
    throw usageError('--existing: a watch with a mirror begins with all memories. Leave it out.');
  }
  if (!isNeeded && allowEmpty) {
    throw usageError(
      '--allow-empty: a watch without a mirror remembers no memories. Pass --mirror too, or leave it out.',
    );
  }
  return isNeeded;
}
