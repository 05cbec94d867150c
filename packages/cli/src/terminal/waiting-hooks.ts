import type { MemoryClientHooks } from '@memory-read/client';
import { canRedraw, returnAndErase } from './can-redraw.ts';
import type { OutputOptions } from './output-options.ts';

const redrawMs = 1000;
const plainLineMs = 30_000;

/** Returns hooks of a client that show how long its first call takes: every second on a terminal, else twice a minute. */
export function waitingHooks(
  baseUrl: string,
  { process, quiet }: Pick<OutputOptions, 'process' | 'quiet'>,
): MemoryClientHooks {
  if (quiet) return {};
  const { stderr } = process;
  const isRedrawn = canRedraw(process);
  const intervalMs = isRedrawn ? redrawMs : plainLineMs;
  let timer: NodeJS.Timeout | undefined;
  let seconds = 0;
  return {
    onRequest() {
      timer ??= setInterval(() => {
        seconds += intervalMs / 1000;
        const text = `Waiting for an answer from ${baseUrl} … ${seconds} s`;
        // A valid base URL is of characters of one column. One column is left free, because a terminal may wrap after the last.
        stderr.write(isRedrawn ? returnAndErase + text.slice(0, (stderr.columns || 80) - 1) : `${text}\n`);
      }, intervalMs);
    },
    onEnd() {
      clearInterval(timer);
      if (isRedrawn && seconds > 0) stderr.write(returnAndErase);
      seconds = 0;
    },
  };
}
