import type { HistoryEvent } from '@memory-read/mirror';
import type { MirrorOption } from '../options/mirror-option.ts';
import { formatDateTime } from '../terminal/format-date-time.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { printResult } from '../terminal/print-result.ts';
import { findMirror } from './find-mirror.ts';
import { wholeMirrorId } from './whole-mirror-id.ts';
import { withMirror } from './with-mirror.ts';

/** Prints the events of a memory of a mirror, oldest first. */
export async function runHistory(given: string, options: MirrorOption & OutputOptions): Promise<void> {
  const signal = abortOnInterruption(options.process);
  const folder = findMirror(options.process, options.mirror);
  const { memoryId, events } = await withMirror({ folder, readOnly: true }, async (mirror) => {
    const own = await mirror.history(given);
    if (own.length > 0) return { memoryId: given, events: own };
    const whole = await wholeMirrorId(mirror, given, 'read the history of', { ...options, signal });
    return { memoryId: whole, events: await mirror.history(whole) };
  });
  for (const event of events) {
    if (!(await printResult({ json: { memoryId, ...event }, text: toText(event) }, options, signal))) return;
  }
}

function toText({ version, type, at, fields }: HistoryEvent): string {
  const changes = fields.length === 0 ? '' : `: ${fields.join(', ')}`;
  return `${formatDateTime(at.toISOString())}  ${version}  ${type}${changes}`;
}
