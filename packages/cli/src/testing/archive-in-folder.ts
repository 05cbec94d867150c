import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach } from 'vitest';
import type { ArchivePlan } from '../archive/archive-job.ts';
import { type ArchiveCounts, type ArchiveEvent, ArchiveReport } from '../archive/archive-report.ts';
import { runArchive } from '../archive/run-archive.ts';
import type { Account } from './create-account.ts';
import { TestProcess } from './test-process.ts';

/** Result of a run. */
export interface ArchiveRun {
  counts: ArchiveCounts;
  events: ArchiveEvent[];
  /** Messages of the failures. */
  failures: string[];
}

/** Returns an empty folder for each test, with functions that run and inspect an archive. */
export function archiveInFolder() {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'memory-read-archive-'));
    return () => rmSync(folder, { recursive: true });
  });
  const inFolder = (...names: string[]) => join(folder, ...names);
  const read = (name: string) => readFileSync(inFolder(name), 'utf8');
  return {
    inFolder,
    read,
    manifest: () => JSON.parse(read('memory-read.json')),
    /** Saves everything of the account, unless the plan differs. */
    run: (account: Account, plan?: Partial<ArchivePlan>) => run(folder, account, plan),
    /** Inodes, times and sizes of all files, which every write would change. */
    traces: () =>
      ['.', ...readdirSync(folder, { recursive: true })].sort().map((each) => traceOf(inFolder(String(each)))),
    /** Inodes, times and sizes of the files of the memory with this name. */
    tracesOf: (name: string) =>
      readdirSync(folder)
        .filter((each) => each.startsWith(`${name} `))
        .map((each) => traceOf(inFolder(each))),
  };
}

async function run(folder: string, { client }: Account, plan: Partial<ArchivePlan> = {}): Promise<ArchiveRun> {
  const events: ArchiveEvent[] = [];
  const report = new ArchiveReport(new TestProcess(), { update() {} }, async (event) => void events.push(event));
  const parts = ['json', 'markdown', 'vtt', 'audio', 'video', 'preview_image'] as const;
  const { signal } = new AbortController();
  await runArchive(folder, { client, parts, concurrency: 2, report, signal, ...plan });
  const failures = events.flatMap((event) => (event.event === 'failed' ? [event.error.message] : []));
  return { counts: report.counts, events, failures };
}

function traceOf(path: string): unknown[] {
  const { ino, mtimeNs, ctimeNs, size } = lstatSync(path, { bigint: true });
  return [path, ino, mtimeNs, ctimeNs, size];
}
