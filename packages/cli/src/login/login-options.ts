import type { ConnectionOptions } from '../options/connection-options.ts';

/** Options of `login`. */
export interface LoginOptions extends ConnectionOptions {
  /** Whether the key is the first line of standard input. */
  keyStdin?: boolean | undefined;
}
