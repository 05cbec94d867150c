import { makeFolder } from '@memory-read/test-kit/make-folder';
import { onTestFinished } from 'vitest';
import { type DeliverOptions, type Mirror, openMirror, type SendEvent } from '../index.ts';
import { openAccount, saidRecord, type TestAccount } from './open-account.ts';

/** A mirror whose events a test delivers, with a clock that the test moves. */
export interface TestDeliveries {
  mirror: Mirror;
  folder: string;
  account: TestAccount;
  clock: { time: number };
  /** Events that the receiver accepted: memory and type, such as `mem_1 added`. */
  accepted: string[];
  /** Fails a try, or accepts it. */
  answer: SendEvent;
  deliver(options?: DeliverOptions, sink?: string): ReturnType<Mirror['deliver']>;
  /** Adds or changes memories, each with one event, and syncs. */
  sync(...memories: [id: string, text: string][]): Promise<void>;
}

/** Opens a mirror with an empty account. */
export async function openDeliveries({ folder = makeFolder() } = {}): Promise<TestDeliveries> {
  const account = await openAccount();
  const clock = { time: Date.parse('2026-11-23T12:00:00Z') };
  const mirror = await openMirror({ folder, clock: { now: () => new Date(clock.time) } });
  onTestFinished(() => mirror.close());
  const test: TestDeliveries = {
    ...{ mirror, folder, account, clock, accepted: [], answer: () => {} },
    deliver: (options = {}, sink = 'default') =>
      mirror.deliver(
        sink,
        async (event, context) => {
          await test.answer(event, context);
          test.accepted.push(nameOf(event));
        },
        { types: ['memory.added', 'memory.changed', 'memory.missing'], ...options },
      ),
    async sync(...memories) {
      for (const [id, text] of memories) await account.put(saidRecord(id, [text]));
      await mirror.sync(account.clientOf('https://api.example.com'), { recheck: 100, allowEmpty: true });
    },
  };
  return test;
}

/** Returns the memory and the type of an event. */
export function nameOf({ type, data }: Parameters<SendEvent>[0]): string {
  return `${data.memory_id} ${type.slice('memory.'.length)}`;
}
