import { type ListedMemory, responseInfo, type SkippedMemory } from '@memory-read/client';
import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import { mediaKinds } from '@memory-read/contract/fields';
import { digestText } from '../files/digest-file.ts';
import { fileError } from '../files/file-error.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { incompleteListWarning } from '../terminal/incomplete-list.ts';
import { quantity } from '../terminal/quantity.ts';
import { isInRange } from '../times/is-in-range.ts';
import { ArchiveFolder } from './archive-folder.ts';
import type { ArchiveJob, ArchivePlan } from './archive-job.ts';
import { archiveMemory } from './archive-memory.ts';
import { isTextFormat } from './archive-part.ts';
import { findDueParts } from './find-due-parts.ts';
import { finishMoves } from './finish-moves.ts';
import { inParallel } from './in-parallel.ts';
import { Manifest } from './manifest.ts';
import { waitingName } from './save-media-file.ts';

/**
 * Saves the chosen parts of every memory of the account to a folder. It writes new content, skips files that are up to
 * date and removes nothing. If a run is interrupted, the next run resumes it.
 */
export async function runArchive(path: string, plan: ArchivePlan): Promise<void> {
  const folder = ArchiveFolder.open(path);
  try {
    const manifest = Manifest.open(folder);
    if (!plan.adopt) manifest.assertServer(serverOf(plan));
    await withManifest(manifest, () => archiveAll({ ...plan, folder, manifest }));
    // A later run may resume an incomplete download.
    const isComplete =
      plan.report.counts.failed === 0 &&
      plan.range === undefined &&
      mediaKinds.every((kind) => plan.parts.includes(kind));
    if (isComplete) folder.clear();
  } finally {
    folder.close();
  }
}

/** Reports what `runArchive` would save. It sends one request, and writes nothing. */
export async function planArchive(path: string, plan: ArchivePlan): Promise<void> {
  const folder = ArchiveFolder.view(path);
  const manifest = Manifest.view(folder);
  if (!plan.adopt) manifest.assertServer(serverOf(plan));
  const job = { ...plan, folder, manifest };
  const { chosen, owner, skipped } = await readList(job);
  if (owner !== undefined) manifest.assertAccount(owner);
  plan.report.begin(chosen.length);
  await reportSkipped(skipped, job);
  for (const listed of chosen) {
    await yieldToEventLoop();
    job.signal.throwIfAborted();
    const due = await findDueParts(listed, manifest.entryOf(listed), job);
    // A part that the memory no longer has is marked, and nothing is saved.
    const parts = due.filter((part) => isTextFormat(part) || listed[`${part}_url`] !== null);
    for (const part of parts) await plan.report.plan(listed.id, part);
    if (parts.length === 0) plan.report.countUnchanged();
  }
}

/** Closes the manifest in any case. If closing fails as well, the first failure is thrown. */
async function withManifest(manifest: Manifest, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    try {
      manifest.close();
    } catch {}
    throw error;
  }
  manifest.close();
}

function serverOf({ client }: ArchivePlan): string {
  return digestText(client.baseUrl).sha256;
}

async function archiveAll(job: ArchiveJob): Promise<void> {
  const { manifest, report, signal, concurrency } = job;
  await finishMoves(job);
  const { listed, chosen, owner, skipped } = await readList(job);
  if (owner !== undefined) manifest.claim(owner, serverOf(job));
  report.begin(chosen.length);
  await reportSkipped(skipped, job);
  if (skipped?.length === 0) await clearDownloads(listed, job);
  const skippedIds = skipped?.map(({ memoryId }) => memoryId) ?? [undefined];
  const ids = new Set([...listed.map(({ id }) => id), ...skippedIds]);
  // A skipped memory without a readable id can be any saved memory.
  await (ids.has(undefined) ? report.warn(incompleteListWarning) : markMissing(ids, job));
  await inParallel(chosen, { concurrency, signal }, async (memory, either) => {
    await archiveMemory(memory, { ...job, signal: either });
    report.finish();
  });
  if (report.isStorageUnavailable) {
    const problem = 'the media storage cannot be reached. Run the same command again to resume';
    throw new CommandError(exitCodes.failed, `Failed to download media: ${problem}; all texts are saved.`);
  }
}

interface ReadList {
  readonly listed: readonly ListedMemory[];
  /** Memories of `listed` that started in the range of the plan. */
  readonly chosen: readonly ListedMemory[];
  /** Account of the memories; undefined for an empty list. */
  readonly owner: string | undefined;
  /** Memories that violate the specification; undefined if they are unknown. */
  readonly skipped: readonly SkippedMemory[] | undefined;
}

/**
 * Reads the list without the memories that violate the specification.
 *
 * @throws CommandError if it has memories of several accounts.
 */
async function readList({ client, signal, folder, range = {} }: ArchiveJob): Promise<ReadList> {
  const memories = await client.listMemories({ signal, validation: 'skip' });
  const skipped = responseInfo(memories)?.skipped;
  const listed = onceEach(memories);
  const [owner, other] = new Set(listed.map(({ user_id }) => user_id));
  if (other !== undefined)
    throw fileError(folder.path, 'the server returned memories of several accounts. Check --base-url.');
  return { listed, chosen: listed.filter(({ started_at }) => isInRange(started_at, range)), owner, skipped };
}

/** Reports each skipped memory as a failure. */
async function reportSkipped(skipped: ReadList['skipped'], { report, signal }: ArchiveJob): Promise<void> {
  for (const { memoryId, error } of skipped ?? [])
    await report.runStep({ memoryId, signal }, () => Promise.reject(error));
}

/** Removes downloads that no listed memory can use. Otherwise, they would accumulate. */
async function clearDownloads(listed: readonly ListedMemory[], { folder, signal }: ArchiveJob): Promise<void> {
  const wanted = new Set<string>();
  for (const memory of listed) {
    await yieldToEventLoop();
    signal.throwIfAborted();
    for (const kind of mediaKinds) wanted.add(waitingName(memory, kind));
  }
  folder.clear((name) => wanted.has(name) || !/\.(?:media|loaded|tmp)$/.test(name));
}

function onceEach(memories: readonly ListedMemory[]): ListedMemory[] {
  return [...new Map(memories.map((memory) => [memory.id, memory])).values()];
}

async function markMissing(
  listed: ReadonlySet<string | undefined>,
  { manifest, report, signal }: ArchiveJob,
): Promise<void> {
  const missing = manifest.entries().filter(({ id }) => !listed.has(id));
  for (const _memory of missing) report.countMissing();
  const news = missing.filter(({ missingSince }) => missingSince === undefined);
  const isFirstEmpty = listed.size === 0 && manifest.emptySince === undefined && news.length > 0;
  const now = new Date().toISOString();
  if (isFirstEmpty || listed.size > 0) manifest.emptySince = isFirstEmpty ? now : undefined;
  if (isFirstEmpty) {
    const kept = quantity(news.length, 'memory', 'memories');
    return report.warn(
      `The server returned an empty list, and this folder has ${kept}. If the next run finds it empty again, they are marked as missing.`,
    );
  }
  for (const memory of news) {
    await yieldToEventLoop();
    signal.throwIfAborted();
    manifest.put({ ...memory, missingSince: now });
  }
}
