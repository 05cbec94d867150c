import { isTransient, type MemoryClient } from '@memory-read/client';
import { type DeliveryReport, isMirrorError, type Mirror } from '@memory-read/mirror';
import { failedToSave } from '../files/file-error.ts';
import { commandOn, findMirror, mirrorFolder } from '../mirror/find-mirror.ts';
import { withMirrorOfRun } from '../mirror/with-mirror.ts';
import { connect } from '../options/open-client.ts';
import { readConnection } from '../options/read-connection.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { explainRepeated } from '../terminal/explain-failure.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { printResult } from '../terminal/print-result.ts';
import { quantity } from '../terminal/quantity.ts';
import { Bell } from './bell.ts';
import { createReceiver, type Receiver } from './create-receiver.ts';
import { toEventOptions } from './event-options.ts';
import { failurePause, type Pace, type PauseRange, paceAfter, pollPause, retryAfterOf } from './poll-pause.ts';
import type { WatchOptions } from './watch-options.ts';
import { WatchReport } from './watch-report.ts';

const defaultInterval = { from: 10_000, to: 300_000 };

/** Longest time after which deliveries look for what other processes have changed, in milliseconds. */
const longestLookup = 1_000;

/** Longest pause for which `--once` waits, in milliseconds. */
const longestWaitOfOnce = 10_000;

/** Syncs a mirror and delivers its events side by side, until the process is ended or with `--once`. */
export async function watchMirror(options: WatchOptions): Promise<void> {
  const { process, sync } = options;
  const signal = abortOnInterruption(process);
  const receiver = await createReceiver(options);
  const client = sync ? await connect({ ...(await readConnection(options)), retries: 0 }) : undefined;
  const folder = sync ? mirrorFolder(process, options.mirror) : findMirror(process, options.mirror);
  const report = new WatchReport(options, signal);
  signal.addEventListener('abort', () => report.showEnd(), { once: true });
  try {
    await withMirrorOfRun({ folder, dryRun: false, process }, report, (mirror) =>
      new MirrorWatch(options, { mirror, client, receiver, report }).run(signal),
    );
  } finally {
    await report.end();
  }
}

interface WatchParts {
  mirror: Mirror;
  /** Undefined if another process syncs the mirror. */
  client: MemoryClient | undefined;
  receiver: Receiver;
  report: WatchReport;
}

/** The loop that polls, and the loop that delivers. Neither waits for the other. */
class MirrorWatch {
  readonly #options: WatchOptions;
  readonly #parts: WatchParts;
  readonly #bell = new Bell();
  readonly #sink: string;
  #hasPolled: boolean;
  #hasSynced: boolean;
  #pace: Pace | undefined;
  /** Failure of the only poll of `--once`, also if only some memories could not be read. */
  #failure: { readonly error: unknown } | undefined;

  constructor(options: WatchOptions, parts: WatchParts) {
    this.#options = options;
    this.#parts = parts;
    this.#sink = options.sink ?? 'default';
    this.#hasPolled = this.#hasSynced = parts.client === undefined;
  }

  async run(signal: AbortSignal): Promise<void> {
    const other = new AbortController();
    const either = AbortSignal.any([signal, other.signal]);
    const end = (reason: unknown) => other.abort(reason);
    const ended = {};
    await Promise.all([this.#poll(either).catch(end), this.#deliver(either).then(() => end(ended), end)]);
    signal.throwIfAborted();
    if (other.signal.reason !== ended) throw other.signal.reason;
    if (this.#options.once) await this.#endOnce();
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const { client } = this.#parts;
    const { once } = this.#options;
    while (client !== undefined) {
      const pause = await this.#pollOnce(client, signal);
      this.#hasPolled = true;
      this.#bell.ring();
      if (once) return;
      this.#parts.report.showNextPoll(new Date(Date.now() + pause));
      await new Bell().wait(pause, signal);
    }
  }

  /** Returns the milliseconds until the next poll. */
  async #pollOnce(client: MemoryClient, signal: AbortSignal): Promise<number> {
    const { mirror, report } = this.#parts;
    const { allowEmpty, interval = defaultInterval, once } = this.#options;
    const refused = new AbortController();
    const range: PauseRange = { shortest: interval.from, longest: interval.to };
    try {
      const result = await mirror.sync(client, {
        allowEmpty: allowEmpty === true || 'never',
        onProgress: (event) => {
          report.follow(event);
          if (event.type === 'memory') this.#bell.ring();
          // A server that asks to wait would refuse the other memories, too.
          if (event.type === 'failed' && retryAfterOf(event.error) > 0) refused.abort(event.error);
        },
        signal: AbortSignal.any([signal, refused.signal]),
      });
      const isPartial = result.failed.some(({ error }) => isTransient(error));
      if (!isPartial && !result.unconfirmedEmptyList) this.#hasSynced = true;
      report.endSync(result);
      if (once && result.failed.length > 0) {
        this.#failure = { error: failedToSave(result.failed.length, ['memory', 'memories']) };
      }
      const { added, changed, missing, returned, processing } = result;
      const hasChanged = added + changed + missing + returned > 0;
      this.#pace = paceAfter(this.#pace, { now: Date.now(), processing, hasChanged });
      const pause = pollPause(this.#pace, Date.now(), range);
      return isPartial ? Math.max(pause, failurePause(undefined, range)) : pause;
    } catch (error) {
      signal.throwIfAborted();
      const isBusy = isMirrorError(error) && error.code === 'busy';
      if (once && !isBusy) this.#failure = { error };
      else if (isBusy) this.#hasSynced = true;
      else if (isTransient(error)) report.fail(explainRepeated(this.#options.process, error as Error));
      else throw error;
      return failurePause(error, range);
    }
  }

  async #deliver(signal: AbortSignal): Promise<void> {
    const { mirror, receiver, report } = this.#parts;
    const { once, skipExisting, interval = defaultInterval } = this.#options;
    if (skipExisting && !(await mirror.listSinks()).some(({ sink }) => sink === this.#sink)) {
      while (!this.#hasSynced) {
        if (this.#hasPolled && once) return;
        await this.#bell.wait(longestLookup, signal);
      }
    }
    for (let emptyPasses = 0; ; ) {
      const isAfterPoll = this.#hasPolled;
      const pass = await this.#deliverDue(signal);
      if (receiver.isClosed()) return;
      if (pass !== undefined) {
        report.showPending(pass.pending);
        if (pass.stopped !== null) {
          if (once) await this.#printTotals();
          throw this.#stopped(pass.stopped);
        }
      }
      const wait = (pass?.nextTry?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now();
      if (once && isAfterPoll) {
        if (pass?.delivered) emptyPasses = 0;
        // A pass that was woken before the next try has tried nothing.
        else if (pass?.failed !== 0) emptyPasses += 1;
        // A second pass can show that only one event is at fault.
        if (pass?.pending === 0 || emptyPasses === 2 || wait > longestWaitOfOnce) return;
      }
      await this.#bell.wait(Math.min(wait, longestLookup, interval.from), signal);
    }
  }

  /** Returns undefined if another program has locked the database for the moment. */
  async #deliverDue(signal: AbortSignal): Promise<DeliveryReport | undefined> {
    const { mirror, receiver, report } = this.#parts;
    const { retry, maxTries, skipExisting } = this.#options;
    try {
      return await mirror.deliver(this.#sink, receiver.send, {
        ...toEventOptions(this.#options),
        from: skipExisting ? 'now' : 'start',
        maxTries,
        firstRetry: retry?.from,
        longestRetry: retry?.to,
        onDelivery: (progress) => report.delivery(progress, receiver),
        signal,
      });
    } catch (error) {
      // Another process that delivers to the sink is a failure without a cause.
      if (isMirrorError(error) && error.code === 'busy' && error.cause !== undefined) return undefined;
      throw error;
    }
  }

  /** Prints the totals of `--once`, unless the events themselves are printed. */
  async #printTotals(): Promise<void> {
    const { receiver, report } = this.#parts;
    if (receiver.prints) return;
    await report.end();
    const { delivered, failed, parked, pending } = report.totals;
    const json = { event: 'watched', sink: this.#sink, delivered, failed, parked, pending };
    const text = `${quantity(delivered, 'event', 'events')} delivered, ${pending.toLocaleString('en-US')} pending, ${parked.toLocaleString('en-US')} parked.`;
    await printResult({ json, text }, this.#options);
  }

  async #endOnce(): Promise<void> {
    const { failed, parked, pending } = this.#parts.report.totals;
    await this.#printTotals();
    if (this.#failure !== undefined) throw this.#failure.error;
    if (pending + parked === 0) return;
    const see = `see ${commandOn(this.#options.process, this.#folder, 'events sinks')}.`;
    const problem =
      failed > 0
        ? `the reasons are above. Run the same command again to retry, or ${see}`
        : `the time of the next try has not come. Run the same command later, or ${see}`;
    const events = quantity(pending + parked, 'event', 'events');
    throw new CommandError(exitCodes.failed, `Failed to deliver ${events}: ${problem}`);
  }

  #stopped(reason: string): CommandError {
    const resume = commandOn(this.#options.process, this.#folder, 'events resume', [this.#sink]);
    const advice = `Its events are kept. Correct the receiver, then run ${resume}.`;
    return new CommandError(exitCodes.notFound, `Failed to deliver to the sink ${this.#sink}: ${reason}. ${advice}`);
  }

  /** The folder as it was given. */
  get #folder(): string {
    return mirrorFolder(this.#options.process, this.#options.mirror);
  }
}
