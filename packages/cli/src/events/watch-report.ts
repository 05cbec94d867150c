import type { DeliveryProgress, DeliveryReport, SyncProgress, SyncReport } from '@memory-read/mirror';
import { createStatusLine, type StatusLine } from '../terminal/create-status-line.ts';
import { explainFailure } from '../terminal/explain-failure.ts';
import { jsonLine } from '../terminal/json-line.ts';
import { LinePrinter } from '../terminal/line-printer.ts';
import { note, printMessage } from '../terminal/note.ts';
import { isForPeople } from '../terminal/print-result.ts';
import { quantity } from '../terminal/quantity.ts';
import { clockTime, formatChangeLine } from './change-line.ts';
import type { WatchOptions } from './watch-options.ts';

/** Numbers of a run. */
export type Totals = Pick<DeliveryReport, 'delivered' | 'failed' | 'parked' | 'pending'>;

/** Prints what a watch delivers, and its failures. On a terminal, a status line stays below. */
export class WatchReport {
  readonly totals: Totals = { delivered: 0, failed: 0, parked: 0, pending: 0 };
  readonly #options: WatchOptions;
  readonly #printer: LinePrinter;
  readonly #status: StatusLine;
  #state: string;
  /** Memories that failed in the last sync, with their messages. They are printed again only after a change. */
  #failed = new Set<string>();
  #hasWarnedOfEmptyList = false;
  #hasEnded = false;
  /** Whether the number of pending events was counted since events were delivered. */
  #knowsPending = false;
  #shown: string | undefined;

  constructor(options: WatchOptions, signal: AbortSignal) {
    this.#options = options;
    this.#printer = new LinePrinter(options.process, signal);
    this.#status = createStatusLine(options);
    this.#state = options.sync ? 'Reading the list' : 'Another process syncs the mirror';
  }

  warn({ message }: { message: string }): void {
    this.note(`Warning: ${message}`);
  }

  note(text: string): void {
    this.#printAbove(() => note(text, this.#options));
  }

  /** Prints a failure, also with `--quiet`. */
  fail(text: string): void {
    this.#printAbove(() => printMessage(this.#options.process, text));
  }

  /** Shows the progress of a sync that reads memories. */
  follow(event: SyncProgress): void {
    if (event.type !== 'memory') return;
    this.#state = `Reading memories: ${event.done.toLocaleString('en-US')} of ${event.due.toLocaleString('en-US')}`;
    this.#show();
  }

  /** Prints what is wrong with a sync, unless the sync before had the same. */
  endSync({ failed, unconfirmedEmptyList }: SyncReport): void {
    const messages = failed.map(
      ({ memoryId, error }) => `${memoryId}: ${explainFailure(this.#options.process, error)}`,
    );
    for (const message of messages) {
      if (!this.#failed.has(message)) this.fail(message);
    }
    this.#failed = new Set(messages);
    if (unconfirmedEmptyList && !this.#hasWarnedOfEmptyList) {
      this.warn({
        message: 'The list is empty, but the mirror has memories. Pass --allow-empty if all of them were deleted.',
      });
    }
    this.#hasWarnedOfEmptyList = unconfirmedEmptyList;
  }

  showNextPoll(time: Date): void {
    this.#state = `Next poll at ${clockTime(time)}`;
    this.#show();
  }

  showEnd(): void {
    this.#state = 'Ending after the event in flight, within 10 seconds';
    this.#show();
  }

  /** Counts a try, and prints its result unless the event itself is printed. */
  delivery({ type, event, attempt, error, retryAt }: DeliveryProgress, { prints }: { prints: boolean }): void {
    this.#knowsPending = false;
    if (type === 'delivered') this.totals.delivered += 1;
    else this.totals.failed += 1;
    if (type === 'parked') this.totals.parked += 1;
    if (prints) return;
    const line = { event: type, eventId: event.id, type: event.type, memoryId: event.data.memory_id, attempt };
    if (isForPeople(this.#options)) {
      const isName = error === undefined;
      const next = retryAt ? ` Next try at ${clockTime(retryAt)}.` : '';
      const text = isName ? (event.data.memory?.name ?? '') : `${error}.${next}`;
      const words = `${event.type.replace('memory.', '').padEnd('processed'.length)}  ${event.data.memory_id}`;
      this.#printLine(formatChangeLine(this.#options.process, { type, words, text, isName }));
    } else {
      this.#printLine(jsonLine({ ...line, error, retryAt }));
      if (error !== undefined) this.fail(`Failed to deliver ${event.id}: ${error}.`);
    }
  }

  showPending(pending: number): void {
    this.totals.pending = pending;
    this.#knowsPending = true;
    this.#show();
  }

  #printLine(text: string): void {
    void this.#printer.print(text, () => this.#clear()).then(() => this.#show());
  }

  /** Waits until all lines are printed. */
  async end(): Promise<void> {
    await this.#printer.finish().finally(() => {
      this.#hasEnded = true;
      this.#clear();
    });
  }

  #printAbove(print: () => void): void {
    this.#clear();
    print();
    this.#show();
  }

  #show(): void {
    const { delivered, pending } = this.totals;
    const left = this.#knowsPending ? `, ${pending.toLocaleString('en-US')} pending` : '';
    const counts = `${quantity(delivered, 'event', 'events')} delivered${left}`;
    const text = `${this.#state}. ${counts}.`;
    if (this.#hasEnded || text === this.#shown) return;
    this.#status.show(text);
    this.#shown = text;
  }

  #clear(): void {
    this.#status.clear();
    this.#shown = undefined;
  }
}
