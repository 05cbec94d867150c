import { makeFolder } from '@memory-read/test-kit/make-folder';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import type { DeliverOptions, DeliveryReport, MemoryEvent } from '../index.ts';
import { openForTest } from './open-for-test.ts';
import { stubClient } from './stub-client.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** Opens the mirror of an account with this number of memories that are being processed, whose clock a test sets. */
export async function openVirtualMirror(count: number) {
  const memories = new Map(
    Array.from({ length: count }, (_item, index) => `mem_${index}`).map((id) => [
      id,
      sampleMemory({ id, is_processing: true, transcript: null, summary: null, audio_url: null }),
    ]),
  );
  const clock = { time: Date.parse('2026-11-23T12:00:00.000Z') };
  const mirror = await openForTest({ folder: makeFolder(), clock: { now: () => new Date(clock.time) } });
  const client = stubClient(memories);
  await mirror.sync(client);
  return { mirror, client, memories, clock, send: new VirtualReceiver(clock) };
}

/** A receiver without a network. It fails as a test says, and counts. */
export class VirtualReceiver {
  /** Events that were accepted, in their order. */
  readonly accepted: { event: MemoryEvent; at: number }[] = [];
  tries = 0;
  /** Throws if an event fails. */
  judge: (event: MemoryEvent) => void = () => {};
  readonly #clock: { time: number };

  constructor(clock: { time: number }) {
    this.#clock = clock;
  }

  readonly receive = (event: MemoryEvent): void => {
    this.tries += 1;
    this.judge(event);
    this.accepted.push({ event, at: this.#clock.time });
  };
}

/** Delivers whenever something is due, without waiting, until this time of the clock. Returns the sums of the reports. */
export async function deliverUntil(
  end: number,
  { mirror, clock, send }: Pick<Awaited<ReturnType<typeof openVirtualMirror>>, 'mirror' | 'clock' | 'send'>,
  options?: DeliverOptions,
): Promise<DeliveryReport> {
  const sums = { delivered: 0, failed: 0, parked: 0 };
  for (;;) {
    const report = await mirror.deliver('default', send.receive, options);
    for (const name of ['delivered', 'failed', 'parked'] as const) sums[name] += report[name];
    const next = report.nextTry?.getTime() ?? end;
    if (next >= end || report.stopped !== null) {
      clock.time = end;
      return { ...report, ...sums };
    }
    // A next try in the past would repeat this loop without an end.
    if (next <= clock.time) throw new Error(`The next try is at ${next}, which is not later than ${clock.time}.`);
    clock.time = next;
  }
}
