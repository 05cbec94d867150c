import { InvalidResponseError, type ListedMemory, type Memory, responseInfo } from '@memory-read/client';
import { parseDateTime } from '@memory-read/contract/date-time';
import { inParallel, yieldToEventLoop } from '@memory-read/contract/event-loop';
import { inTransaction } from '../database/in-transaction.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import type { MirrorStorage } from '../database/open-database.ts';
import { readSetting, writeSetting } from '../database/settings.ts';
import { MirrorError } from '../errors/mirror-error.ts';
import { ofCaller } from '../errors/stored-values.ts';
import { markMissing, markReturned, noteRead } from '../history/mark-memory.ts';
import { restoreVersion } from '../history/restore-version.ts';
import { changedFields, type StoredContent, toStoredContent } from '../history/stored-content.ts';
import { ifWhole, readVersion } from '../history/stored-version.ts';
import { writeVersion } from '../history/write-version.ts';
import type { NewDoubt } from '../people/follow-names.ts';
import { ignoreBusyReaders, isPurged, purgeMemories } from '../purge/purge-memories.ts';
import { FailureCount } from './failure-count.ts';
import { isDue, type ListState, nextState, readListState } from './list-state.ts';
import type { SyncSettings } from './read-sync-options.ts';
import { findListedFiles, type ListedFile, saveMediaFiles } from './save-media-files.ts';
import type { SyncClient, SyncReport } from './sync-types.ts';

/** The storage that a sync fills, and its clock. */
export interface SyncedStorage extends MirrorStorage {
  /** Returns the current time, in milliseconds since 1970. */
  now(): number;
  /** Finishes purges that have begun. */
  finishPurges(): Promise<void>;
}

/** Data of a memory in the mirror, without its content. */
interface KnownMemory {
  memoryKey: number;
  memoryId: string;
  isMissing: boolean;
  readAt: number;
  /** Undefined if it is damaged. The memory is then read again. */
  state: ListState | undefined;
}

/** A memory of the list that the mirror may have. */
interface ListedPair {
  listed: ListedMemory;
  known: KnownMemory | undefined;
}

/** Changes by a list, besides the memories that are read. */
interface Marks {
  missing: KnownMemory[];
  returned: KnownMemory[];
  purged: KnownMemory[];
}

/** Updates the mirror from the account. Each memory is one transaction, so saved memories stay after a failure. */
export async function syncMirror(
  storage: SyncedStorage,
  client: SyncClient,
  settings: SyncSettings,
): Promise<SyncReport> {
  const { database } = storage;
  const { signal } = settings;
  const baseUrl = baseUrlOf(client);
  if (!settings.adopt) assertServer(database, baseUrl);
  const report = emptyReport();
  report.requests += 1;
  const list = await ofCaller(() => client.listMemories({ signal, validation: 'skip' }));
  const skipped = responseInfo(list)?.skipped;
  signal?.throwIfAborted();
  report.listed = list.length;
  report.processing = list.filter(({ is_processing }) => is_processing).length;
  const userId = accountOf(list, database);
  // The files of a purge can be outside of the mirror, which may belong to another account.
  if (!settings.dryRun) await storage.finishPurges();

  await yieldToEventLoop();
  const known = knownMemories(database);
  await yieldToEventLoop();
  // A skipped memory without an id can be any memory of the mirror. A copied list does not have the skipped ones.
  const skippedIds = skipped?.map(({ memoryId }) => memoryId) ?? [undefined];
  const ids = new Set([...list.map(({ id }) => id), ...skippedIds]);
  const pairs: ListedPair[] = [];
  for (const listed of new Map(list.map((each) => [each.id, each])).values()) {
    await yieldToEventLoop();
    const found = known.get(listed.id);
    if (found !== undefined || !isPurged(database, listed.id)) pairs.push({ listed, known: found });
  }
  const marks = findMarks(known, ids, { purgesMissing: settings.purgesMissing });
  report.incompleteList = ids.has(undefined);
  if (report.incompleteList) Object.assign(marks, { missing: [], purged: [] });
  const marked = settings.allowEmpty === 'never' ? [...marks.missing, ...marks.purged] : marks.missing;
  report.unconfirmedEmptyList = list.length === 0 && marked.length > 0 && !isConfirmed(database, settings);
  if (report.unconfirmedEmptyList) Object.assign(marks, { missing: [], purged: [] });
  const inRange = pairsInRange(pairs, settings);
  const { due, rechecked } = await findDue(inRange, settings);
  report.missing = marks.missing.length;
  report.returned = marks.returned.length;
  report.purged = marks.purged.length;
  const work = [...due, ...rechecked];
  const files = await findListedFiles(storage, inRange, settings.media);
  settings.report({ type: 'listed', listed: list.length, inRange: inRange.length, due: work.length, report });
  const failures = new FailureCount(report, settings.report);
  for (const { memoryId = '', error } of skipped ?? []) failures.add({ memoryId, error });
  for (const { listed } of work) {
    await yieldToEventLoop();
    settings.report({ type: 'planned', memoryId: listed.id });
  }
  for (const { listed, kind, savedPath } of files) {
    await yieldToEventLoop();
    if (savedPath === undefined) settings.report({ type: 'planned', memoryId: listed.id, kind });
  }
  if (settings.dryRun) return { ...dryReport(report, pairs, due), rechecked: rechecked.length };

  inTransaction(database, () => {
    writeSetting(database, 'base_url', baseUrl);
    if (userId !== undefined) writeSetting(database, 'user_id', userId);
    noteEmptyLists(database, report.unconfirmedEmptyList);
    const now = storage.now();
    for (const { memoryKey } of marks.missing) markMissing(database, memoryKey, now);
    for (const { memoryKey } of marks.returned) markReturned(database, memoryKey, now);
  });
  const purged = marks.purged.map(({ memoryId }) => memoryId);
  if (purged.length > 0) {
    const ended = (await ignoreBusyReaders(() => purgeMemories(storage, purged))) ?? [];
    const leftFiles = ended.flatMap((purge) => purge.leftFiles);
    if (leftFiles.length > 0) report.leftFiles = leftFiles;
  }
  const readAt = nextReadAt(storage, known);
  report.unchanged = pairs.filter(({ known: found }) => found !== undefined).length;
  let done = 0;
  await inParallel(work, settings, async ({ listed, known: found }, shared) => {
    let change: 'added' | 'changed' | 'unchanged' | 'failed' = 'failed';
    try {
      report.requests += 1;
      const memory = await ofCaller(() => client.getMemory(listed.id, { signal: shared }));
      const written = writeDetails(storage, { listed, known: found, memory, readAt });
      change = written.change;
      report.doubtfulNames += written.doubts.length;
      for (const doubt of written.doubts) settings.report({ type: 'doubt', memoryId: listed.id, ...doubt });
      if (change !== 'unchanged') report[change] += 1;
      if (change === 'changed') report.unchanged -= 1;
      failures.succeed();
    } catch (error) {
      failures.fail(isStackOverflow(error) ? tooDeep(listed) : error, shared, { memoryId: listed.id });
      if (found !== undefined) report.unchanged -= 1;
    }
    done += 1;
    settings.report({ type: 'memory', memoryId: listed.id, change, done, due: work.length });
  });
  report.rechecked = rechecked.length;
  if (files.length > 0) await saveMediaOf(storage, client, files, { settings, report, failures });
  return report;
}

export function baseUrlOf(client: SyncClient): string {
  const { origin, pathname } = new URL(client.baseUrl);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

export function assertServer(database: MirrorDatabase, baseUrl: string): void {
  const known = readSetting(database, 'base_url');
  if (known === undefined || known === baseUrl) return;
  const reason = `the mirror belongs to ${known}, but the client reads ${baseUrl}`;
  throw new MirrorError(
    'other_server',
    `Failed to sync the mirror: ${reason}. Use another folder, or the option adopt.`,
  );
}

/** Returns the account of the list; undefined if the list is empty. */
export function accountOf(list: readonly Memory[], database: MirrorDatabase): string | undefined {
  const [userId, ...others] = new Set(list.map(({ user_id }) => user_id));
  const known = readSetting(database, 'user_id') ?? userId;
  if (others.length === 0 && (userId === undefined || userId === known)) return userId;
  const reason =
    others.length > 0 ? 'the list has memories of several accounts' : 'the list belongs to another account';
  const advice =
    others.length > 0 ? 'Report it to the operator of the API' : 'Use another folder, or the key of the account';
  throw new MirrorError('other_account', `Failed to sync the mirror: ${reason}. ${advice}.`);
}

function knownMemories(database: MirrorDatabase): Map<string, KnownMemory> {
  const rows = database.prepare('SELECT memory_key, memory_id, missing_since, read_at, list_state FROM memories').all();
  return new Map(
    rows.map((row) => [
      String(row.memory_id),
      {
        memoryKey: Number(row.memory_key),
        memoryId: String(row.memory_id),
        isMissing: row.missing_since !== null,
        readAt: Number(row.read_at),
        state: readListState(row.list_state),
      },
    ]),
  );
}

/** A memory is purged only if an earlier list lacked it too. */
function findMarks(
  known: ReadonlyMap<string, KnownMemory>,
  ids: ReadonlySet<string | undefined>,
  { purgesMissing }: { purgesMissing: boolean },
): Marks {
  const all = [...known.values()];
  return {
    missing: all.filter(({ memoryId, isMissing }) => !isMissing && !ids.has(memoryId)),
    returned: all.filter(({ memoryId, isMissing }) => isMissing && ids.has(memoryId)),
    purged: purgesMissing ? all.filter(({ memoryId, isMissing }) => isMissing && !ids.has(memoryId)) : [],
  };
}

/** One empty list may be a fault of the server. The second one in a row confirms it. */
function isConfirmed(database: MirrorDatabase, { allowEmpty }: SyncSettings): boolean {
  if (allowEmpty === 'never') return false;
  return allowEmpty || readSetting(database, 'empty_lists') === '1';
}

function noteEmptyLists(database: MirrorDatabase, isUnconfirmed: boolean): void {
  if (isUnconfirmed || readSetting(database, 'empty_lists') !== undefined) {
    writeSetting(database, 'empty_lists', isUnconfirmed ? '1' : '0');
  }
}

/** Returns the memories of the range, newest first. */
function pairsInRange(pairs: readonly ListedPair[], { range }: SyncSettings): ListedPair[] {
  const startOf = ({ listed }: ListedPair) => parseDateTime(listed.started_at) ?? 0;
  return pairs
    .filter((pair) => startOf(pair) >= range.since && startOf(pair) < range.until)
    .sort((one, other) => startOf(other) - startOf(one));
}

async function findDue(
  inRange: readonly ListedPair[],
  { recheck }: SyncSettings,
): Promise<{ due: ListedPair[]; rechecked: ListedPair[] }> {
  const due: ListedPair[] = [];
  for (const pair of inRange) {
    await yieldToEventLoop();
    const { listed, known } = pair;
    if (known?.state === undefined || isDue(known.state, listed)) due.push(pair);
  }
  const isRead = new Set(due);
  const rechecked = inRange
    .filter((pair) => !isRead.has(pair))
    .sort(({ known: one }, { known: other }) => order(one) - order(other) || keyOf(one) - keyOf(other))
    .slice(0, recheck);
  return { due, rechecked };
}

const order = (known: KnownMemory | undefined) => known?.readAt ?? 0;
const keyOf = (known: KnownMemory | undefined) => known?.memoryKey ?? 0;

/**
 * A recheck reads the memories that were read longest ago. So these times must increase even if the clock was set back.
 */
function nextReadAt({ now }: SyncedStorage, known: ReadonlyMap<string, KnownMemory>): number {
  let last = 0;
  for (const { readAt } of known.values()) last = Math.max(last, readAt);
  return Math.max(now(), last + 1);
}

/** An unknown field that is nested too deeply for the stack of the runtime concerns one memory only. */
function isStackOverflow(error: unknown): boolean {
  const { name, message } = Object(error);
  return name === 'RangeError' && /call stack/.test(message);
}

function tooDeep({ id }: ListedMemory): InvalidResponseError {
  const reason = 'the response is nested too deeply';
  const message = `Failed to save memory ${JSON.stringify(id)}: ${reason}. Report it to the operator of the API.`;
  return new InvalidResponseError(message, { reason: 'structure', memoryIds: [id] });
}

/** Writes a version if the content differs, and the state of the list. */
function writeDetails(
  { database, now }: SyncedStorage,
  { listed, known, memory, readAt }: ListedPair & { memory: Memory; readAt: number },
): { change: 'added' | 'changed' | 'unchanged'; doubts: NewDoubt[] } {
  assertSameMemory(listed, memory);
  const content = toStoredContent(memory);
  const listState = JSON.stringify(nextState(known?.state, listed, memory));
  return inTransaction(database, () => {
    const fields = known === undefined ? [] : fieldsOf(database, known.memoryKey, content);
    const isUnchanged = known !== undefined && fields.length === 0;
    const { memoryKey, doubts } = isUnchanged
      ? { ...known, doubts: [] }
      : writeVersion(database, content, { now: now(), fields });
    noteRead(database, memoryKey, { now: readAt, listState });
    if (isUnchanged) return { change: 'unchanged', doubts };
    return { change: known === undefined ? 'added' : 'changed', doubts };
  });
}

/** One wrong response must not end the sync of the other memories. */
function assertSameMemory(listed: ListedMemory, memory: Memory): void {
  if (memory.id === listed.id && memory.user_id === listed.user_id) return;
  const reason = `the response contains a memory ${memory.id === listed.id ? 'of another account' : 'with another id'}`;
  const message = `Failed to sync the memory: ${reason}. Report it to the operator of the API.`;
  throw new InvalidResponseError(message, { reason: 'structure', memoryIds: [listed.id] });
}

/** Returns the fields that differ from the current version. If that one is damaged, all of them do. */
export function fieldsOf(database: MirrorDatabase, memoryKey: number, content: StoredContent): string[] {
  const row = database
    .prepare(
      `SELECT memory_id, versions.* FROM memories JOIN versions USING (memory_key)
      WHERE memory_key = ? AND version = current_version`,
    )
    .get(memoryKey);
  if (row !== undefined && restoreVersion(database, row, content)) return [];
  const memory = row && ifWhole(() => readVersion(row));
  if (memory === undefined) return Object.keys(content.memory);
  return changedFields(
    { memory, media: String(row?.media).split(' ').filter(Boolean) as StoredContent['media'] },
    content,
  );
}

async function saveMediaOf(
  storage: SyncedStorage,
  client: SyncClient,
  files: readonly ListedFile[],
  options: Parameters<typeof saveMediaFiles>[3],
): Promise<void> {
  const failed = new Set(options.report.failed.map(({ memoryId }) => memoryId));
  const known = knownMemories(storage.database);
  const found = files.flatMap((file) => {
    const memoryKey = known.get(file.listed.id)?.memoryKey;
    return memoryKey === undefined || failed.has(file.listed.id) ? [] : [{ ...file, memoryKey }];
  });
  await saveMediaFiles(storage, client, found, options);
}

function dryReport(report: SyncReport, pairs: readonly ListedPair[], due: readonly ListedPair[]): SyncReport {
  const isKnown = ({ known }: ListedPair) => known !== undefined;
  const changed = due.filter(isKnown).length;
  return { ...report, added: due.length - changed, changed, unchanged: pairs.filter(isKnown).length - changed };
}

function emptyReport(): SyncReport {
  return {
    requests: 0,
    listed: 0,
    processing: 0,
    added: 0,
    changed: 0,
    unchanged: 0,
    missing: 0,
    returned: 0,
    purged: 0,
    rechecked: 0,
    unconfirmedEmptyList: false,
    incompleteList: false,
    mediaSaved: 0,
    mediaBytes: 0,
    doubtfulNames: 0,
    failed: [],
    logPending: false,
  };
}
