import { DeliveryError, type SendEvent } from '@memory-read/mirror';
import { cutLineEnd } from '../terminal/cut-line-end.ts';
import { print } from '../terminal/print.ts';
import { isForPeople } from '../terminal/print-result.ts';
import { formatMemoryLine, type MemoryChangeType } from './change-line.ts';
import { createWebhook } from './create-webhook.ts';
import { createExecSender } from './exec-sender.ts';
import type { WatchOptions } from './watch-options.ts';

/** Milliseconds that a command has for one event. */
const defaultExecTimeout = 300_000;

/** Where the events of a watch go. */
export interface Receiver {
  send: SendEvent;
  /** Whether the events are printed as they are, so that nothing else is. */
  prints: boolean;
  /**
   * Returns whether the reader of standard output has stopped.
   *
   * @throws the failure of a line that could not be written.
   */
  isClosed(): boolean;
}

/** @throws CommandError if an option of the receiver is invalid. */
export async function createReceiver(options: WatchOptions): Promise<Receiver> {
  const { process, exec, webhook, timeout = defaultExecTimeout } = options;
  if (webhook === undefined && exec === undefined) return createPrinter(options);
  const send =
    webhook === undefined
      ? createExecSender({ process, command: exec ?? '', timeout })
      : await createWebhook(options, webhook);
  return { send, prints: false, isClosed: () => false };
}

function createPrinter(options: WatchOptions): Receiver {
  const { process } = options;
  let before = cutLineEnd(process);
  let isClosed = false;
  let failure: { readonly error: unknown } | undefined;
  return {
    prints: true,
    isClosed() {
      if (failure) throw failure.error;
      return isClosed;
    },
    async send({ type, data }, { body, signal }) {
      const { memory_id: id, fields, memory } = data;
      const change = { type: type.replace('memory.', '') as MemoryChangeType, id, fields, name: memory?.name ?? '' };
      const line = isForPeople(options) ? formatMemoryLine(process, change) : `${body}\n`;
      try {
        isClosed = !(await print(process, before + line, signal));
      } catch (error) {
        failure = { error };
      }
      before = '';
      if (isClosed || failure) throw new DeliveryError('the event cannot be printed', { action: 'unavailable' });
    },
  };
}
