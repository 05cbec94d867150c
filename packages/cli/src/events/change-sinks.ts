import type { Mirror } from '@memory-read/mirror';
import { changeMirror } from '../mirror/with-mirror.ts';
import type { MirrorOption } from '../options/mirror-option.ts';
import { CommandError, exitCodes, usageError } from '../terminal/command-error.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { printResult, type Result } from '../terminal/print-result.ts';
import { quantity } from '../terminal/quantity.ts';

export interface SinkRun extends MirrorOption, OutputOptions {}

export interface ReplayRun extends SinkRun {
  sink: string;
  parked?: boolean | undefined;
}

/** Makes events due again: those with these ids, or all that are parked. */
export function replayEvents(ids: readonly string[], { sink, parked, ...options }: ReplayRun): Promise<void> {
  if (parked && ids.length > 0) {
    throw usageError('--parked: it cannot be combined with ids of events. Leave one of them out.');
  }
  if (!parked && ids.length === 0) throw usageError('the ids of events: there are none. Pass ids, or --parked.');
  return changeSinks(options, async (mirror) => {
    const chosen = parked ? await mirror.listDeliveries(sink, { state: 'parked' }) : [];
    const all = parked ? chosen.map(({ eventId }) => eventId) : ids;
    const events = all.length === 0 ? 0 : await mirror.replay(sink, all);
    const text = `${quantity(events, 'event', 'events')} of the sink ${sink} ${events === 1 ? 'is' : 'are'} due again.`;
    return { json: { event: 'replayed', sink, events }, text };
  });
}

/** Ends the stop of a sink. */
export function resumeSink(sink: string, options: SinkRun): Promise<void> {
  return changeSinks(options, async (mirror) => {
    assertKnown(await mirror.resumeSink(sink), 'resume', sink);
    return { json: { event: 'resumed', sink }, text: `All pending events of the sink ${sink} are due now.` };
  });
}

/** Forgets a sink. */
export function removeSink(sink: string, options: SinkRun): Promise<void> {
  return changeSinks(options, async (mirror) => {
    assertKnown(await mirror.removeSink(sink), 'remove', sink);
    return { json: { event: 'removed', sink }, text: `Removed the sink ${sink}. The events stay in the mirror.` };
  });
}

/** Prints the result of a change. */
async function changeSinks(options: SinkRun, change: (mirror: Mirror) => Promise<Result>): Promise<void> {
  const signal = abortOnInterruption(options.process);
  await printResult(await changeMirror({ ...options, signal }, change), options);
}

function assertKnown(isKnown: boolean, action: string, sink: string): void {
  if (isKnown) return;
  const problem = 'there is no such sink. See memory-read events sinks.';
  throw new CommandError(exitCodes.notFound, `Failed to ${action} the sink ${JSON.stringify(sink)}: ${problem}`);
}
