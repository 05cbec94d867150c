import type { SinkState } from '@memory-read/mirror';
import { readMirror } from '../mirror/with-mirror.ts';
import type { MirrorOption } from '../options/mirror-option.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { formatDateTime } from '../terminal/format-date-time.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { note } from '../terminal/note.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { isForPeople, printResult } from '../terminal/print-result.ts';
import { printRows } from '../terminal/print-rows.ts';

export interface SinksRun extends MirrorOption, OutputOptions {
  /** Longest wait of an event in milliseconds. */
  stalled?: number | undefined;
}

/** Prints the sinks of a mirror, and checks them with `--stalled`. */
export async function listSinks({ stalled, ...options }: SinksRun): Promise<void> {
  const signal = abortOnInterruption(options.process);
  const sinks = await readMirror(options, (mirror) => mirror.listSinks());
  await printRows(sinks, { toJson: (sink) => sink, toCells: cellsOf }, options, signal);
  if (isForPeople(options)) {
    for (const { sink, error, stopped } of sinks) {
      const problem = stopped ?? error;
      if (problem !== null) await printResult({ json: {}, text: `${sink}: ${problem}.` }, options, signal);
    }
  }
  if (sinks.length === 0) note('There are no sinks yet. Each memory-read watch with a mirror makes one.', options);
  if (stalled !== undefined) assertNotStalled(sinks, Date.now() - stalled);
}

/** @throws CommandError if a sink is stopped, or an event is pending since this time and none was delivered. */
function assertNotStalled(sinks: readonly SinkState[], oldest: number): void {
  const problems = sinks.flatMap(({ sink, stopped, oldestPending, lastDelivered }) => {
    if (stopped !== null) return [`the sink ${sink} is stopped`];
    if (oldestPending === null || Math.max(oldestPending.getTime(), Number(lastDelivered)) >= oldest) return [];
    return [`the oldest pending event of the sink ${sink} is of ${formatDateTime(oldestPending.toISOString())}`];
  });
  if (problems.length === 0) return;
  const isStopped = sinks.some(({ stopped }) => stopped !== null);
  const resume = ' Correct the receiver of a stopped sink, then run memory-read events resume with its name.';
  const advice = `See memory-read events sinks.${isStopped ? resume : ''}`;
  throw new CommandError(exitCodes.failed, `Failed to deliver events: ${problems.join(', ')}. ${advice}`);
}

function cellsOf(sinks: readonly SinkState[]): string[][] {
  const time = (date: Date | null) => (date === null ? '' : formatDateTime(date.toISOString()));
  const rows = sinks.map(({ sink, delivered, pending, retrying, parked, oldestPending, lastDelivered, stopped }) => [
    sink,
    ...[delivered, pending, retrying, parked].map((count) => count.toLocaleString('en-US')),
    time(oldestPending),
    stopped === null ? time(lastDelivered) : 'stopped',
  ]);
  return [['SINK', 'DELIVERED', 'PENDING', 'RETRYING', 'PARKED', 'OLDEST PENDING', 'LAST DELIVERY'], ...rows];
}
