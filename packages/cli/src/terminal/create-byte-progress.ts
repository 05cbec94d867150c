import { createProgress, type Progress } from './create-progress.ts';
import { formatBytes } from './format-bytes.ts';
import type { OutputOptions } from './output-options.ts';

/** Returns the progress of bytes on standard error. With `--quiet`, it prints nothing. */
export function createByteProgress({ process, quiet }: OutputOptions): Progress {
  return createProgress({
    process,
    now: () => performance.now(),
    formatRate: (bytes) => `${formatBytes(bytes)}/s`,
    quiet,
  });
}
