import type { Segment } from '@memory-read/client';
import type { MemoryRecord } from '@memory-read/contract';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { onTestFinished } from 'vitest';
import { type Mirror, openMirror, type SyncProgress, type SyncReport } from '../index.ts';
import { openAccount, type TestAccount } from './open-account.ts';

/** A segment: a label, its start and end in seconds, and its text. Default: a text of label and start. */
export type Row = [label: string, from: number, to: number, text?: string];

/** Returns a record whose transcript has these segments. */
export function spokenRecord(id: string, rows: readonly Row[], overrides: Partial<MemoryRecord> = {}): MemoryRecord {
  const record = sampleRecord({ id, ...overrides });
  const at = (seconds: number) => new Date(Date.parse(record.started_at) + seconds * 1000).toISOString();
  const segments = rows.map(([speaker, from, to, text = `${speaker} says ${from}.`]): Segment => {
    return { speaker, start_at: at(from), end_at: at(to), text };
  });
  return { ...record, transcript: rows.length === 0 ? null : { segments } };
}

/** An open mirror of an account whose transcripts a test changes. */
export interface TestPeople {
  mirror: Mirror;
  folder: string;
  account: TestAccount;
  /** The clock of the mirror. */
  clock: { time: number };
  /** Events of the last sync about doubtful names. */
  doubts: Extract<SyncProgress, { type: 'doubt' }>[];
  /** Processes a memory again, and syncs a minute later. */
  say(id: string, rows: readonly Row[], overrides?: Partial<MemoryRecord>): Promise<SyncReport>;
  sync(): Promise<SyncReport>;
  /** Opens the folder once more, as another process does. */
  open(options?: { readOnly?: boolean }): Promise<Mirror>;
}

/** Opens a mirror without memories in a new folder, and closes it after the test. */
export async function openPeople(): Promise<TestPeople> {
  const folder = makeFolder();
  const clock = { time: Date.parse('2026-11-23T12:00:00Z') };
  const open = async (options = {}) => {
    const mirror = await openMirror({ folder, clock: { now: () => new Date(clock.time) }, ...options });
    onTestFinished(() => mirror.close());
    return mirror;
  };
  const account = await openAccount();
  const mirror = await open();
  const test: TestPeople = {
    ...{ mirror, folder, account, clock, doubts: [], open },
    say: async (...said) => {
      await account.put(spokenRecord(...said));
      return test.sync();
    },
    sync: () => {
      clock.time += 60_000;
      test.doubts = [];
      const onProgress = (event: SyncProgress) => void (event.type === 'doubt' && test.doubts.push(event));
      // The list has no transcripts, so it does not show that one has changed.
      return mirror.sync(account.clientOf('https://api.example.com'), { onProgress, recheck: 10 });
    },
  };
  return test;
}
