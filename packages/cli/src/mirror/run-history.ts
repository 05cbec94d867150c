import type { HistoryEvent } from '@memory-read/mirror';
import { findInMirror } from '../ids/mirror-source.ts';
import type { MirrorOption } from '../options/mirror-option.ts';
import { formatDateTime } from '../terminal/format-date-time.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { printResult } from '../terminal/print-result.ts';
import { readMirror } from './with-mirror.ts';

/** Prints the events of a memory of a mirror, oldest first. */
export async function runHistory(given: string, options: MirrorOption & OutputOptions): Promise<void> {
  const signal = abortOnInterruption(options.process);
  const { memoryId, events } = await readMirror(options, async (mirror) => {
    const memoryId = await findInMirror(mirror, given, 'read the history of', { ...options, signal });
    return { memoryId, events: await mirror.history(memoryId) };
  });
  for (const event of events) {
    if (!(await printResult({ json: { memoryId, ...event }, text: toText(event) }, options, signal))) return;
  }
}

function toText({ version, type, at, fields }: HistoryEvent): string {
  const changes = fields.length === 0 ? '' : `: ${fields.join(', ')}`;
  return `${formatDateTime(at.toISOString())}  ${version}  ${type}${changes}`;
}
