import { join, resolve } from 'node:path';
import type { MemoryRecord } from '@memory-read/contract';
import { systemTimeZone } from '@memory-read/contract/date-time';
import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import { checkMirror } from './check/check-mirror.ts';
import type { CheckReport, RepairReport } from './check/check-types.ts';
import { repairMirror } from './check/repair-mirror.ts';
import { assertVersion } from './database/assert-version.ts';
import { backupDatabase } from './database/backup-database.ts';
import type { MirrorDatabase } from './database/mirror-database.ts';
import { type MirrorStorage, openDatabase } from './database/open-database.ts';
import { NEWEST_VERSION } from './database/schema.ts';
import { writeSetting } from './database/settings.ts';
import { writeBackLog } from './database/write-back-log.ts';
import { WriterLock } from './database/writer-lock.ts';
import { explainStorageError } from './errors/explain-storage-error.ts';
import { isMirrorError, MirrorError } from './errors/mirror-error.ts';
import { ofCaller } from './errors/stored-values.ts';
import type { DeliverOptions, Delivery, DeliveryReport, SendEvent, SinkState } from './events/delivery-types.ts';
import type { EventPage, EventsOptions } from './events/event-types.ts';
import type { MirrorEvents } from './events/mirror-events.ts';
import { type EventsHost, openEvents } from './events/open-events.ts';
import { exportFiles } from './exports/export-files.ts';
import type { ExportFilesOptions, ExportFilesReport, ExportFolder } from './exports/export-types.ts';
import { readExportOptions } from './exports/read-export-options.ts';
import { assertPathType } from './files/assert-path-type.ts';
import { isReachable, listFolderRows } from './files/export-folder.ts';
import { Hardening } from './files/hardening.ts';
import { exportRecords } from './history/export-records.ts';
import { getMemory } from './history/get-memory.ts';
import { type HistoryEvent, listHistory } from './history/list-history.ts';
import { type ListOptions, listMemories, type MirroredPage } from './history/list-memories.ts';
import type { MirroredMemory } from './history/mirrored-memory.ts';
import { isDamage } from './history/stored-version.ts';
import {
  checkOptions,
  checkText,
  invalidOption,
  type RangeOptions,
  rangeTest,
  readCount,
  readInstant,
  readOnlySignal,
  readRange,
  readSignal,
  readTimeZone,
} from './options/check-options.ts';
import { type OpenMirrorOptions, type PagesOptions, readMirrorOptions } from './options/mirror-options.ts';
import { type PagesReport, writePages } from './pages/write-pages.ts';
import { openPeople } from './people/mirror-people.ts';
import type { MirrorPeople } from './people/people-types.ts';
import { type FinishedPurge, finishPurges } from './purge/finish-purges.ts';
import { hasPendingPurges, memoryPurge, namesPurge } from './purge/pending-purges.ts';
import { ignoreBusyReaders, type PurgeReport, purgeMemories } from './purge/purge-memories.ts';
import { PurgeReports } from './purge/purge-reports.ts';
import { searchMemories } from './search/search-memories.ts';
import type { SearchOptions, SearchPage } from './search/search-types.ts';
import { assertClient, readSyncOptions } from './sync/read-sync-options.ts';
import { type SyncedStorage, syncMirror } from './sync/sync-mirror.ts';
import type { SyncClient, SyncOptions, SyncReport } from './sync/sync-types.ts';

/** Folders in the folder of a mirror. */
const parts = ['media', 'pages', 'index'];

/**
 * A local copy of an account: one SQLite file, media, and pages that are generated from them.
 *
 * Methods reject with a {@link MirrorError}. In a folder, only one `sync`, `purge` or `writePages` runs at a time.
 */
export interface Mirror extends MirrorEvents {
  /** Absolute path of the folder. */
  readonly folder: string;
  /**
   * Reads the new and changed memories of the account, and returns a report.
   *
   * If nothing has changed, it sends one request and writes nothing. A memory or a media file that fails is in
   * `failed`, and the next sync reads it again. Errors that concern all memories, such as a refused key, reject as
   * errors of the client. An abort rejects with the reason of the signal. Memories and media that were written stay.
   * See sections 4.1 and 4.2 of the specification.
   *
   * @example
   * ```ts
   * const { added, changed, missing, mediaSaved, failed } = await mirror.sync(client, { media: ['audio'] });
   * console.log(`${added} added, ${changed} changed, ${missing} missing, ${mediaSaved} media saved`);
   * for (const { memoryId, kind, error } of failed) console.error(memoryId, kind ?? 'details', error.message);
   * ```
   *
   * @throws {@link MirrorError} with the code `other_account`, `other_server`, `busy`, `read_only` or `disk_full`, among
   * others.
   */
  sync(client: SyncClient, options?: SyncOptions): Promise<SyncReport>;
  /**
   * Returns the names, summaries, takeaways and passages that have all words of the query, or why there are none.
   *
   * Memories with all words in one text come first, then those with the words in different texts, each newest first. The
   * rules are those of `searchMemories` of `@memory-read/client/search`. Every string is a valid query. Memories that
   * started in the same second have a fixed order. Before 1900 and after 2199, this holds for memories of the same minute.
   *
   * @example
   * ```ts
   * for (const { memoryId, speaker, offset, snippet } of (await mirror.search('speaker:"Speaker 2" promise')).hits) {
   *   const audio = (await mirror.getMemory(memoryId))?.media.audio;
   *   console.log(`${speaker}, ${offset} ms into ${audio?.path}`);
   *   console.log(snippet.highlights.map(([start, end]) => snippet.text.slice(start, end)).join(', '));
   * }
   * ```
   *
   * @throws {@link MirrorError} with the code `invalid_option`, for example for the cursor of another query.
   */
  search(query: string, options?: SearchOptions): Promise<SearchPage>;
  /**
   * Returns the memories, newest first and without transcripts, including those that are missing on the server.
   *
   * @example
   * ```ts
   * const { memories } = await mirror.listMemories({ since: '2025-12-31T00:00:00Z' });
   * for (const { memory, missingSince } of memories) console.log(memory.name, missingSince ?? 'listed');
   * ```
   */
  listMemories(options?: ListOptions): Promise<MirroredPage>;
  /**
   * Returns a memory, or the newest version that was read by `asOf`; undefined if there is no such version.
   *
   * `asOf` is a `Date` or an ISO 8601 text. A day means its beginning in UTC. Default: the newest version.
   *
   * @example
   * ```ts
   * const [first] = await mirror.history(id);
   * const earlier = await mirror.getMemory(id, { asOf: first?.at });
   * const now = await mirror.getMemory(id);
   * console.log(`${earlier?.memory.name} is now ${now?.memory.name}`);
   * ```
   */
  getMemory(memoryId: string, options?: { asOf?: Date | string | undefined }): Promise<MirroredMemory | undefined>;
  /**
   * Returns the events of a memory, oldest first; an empty array if the mirror does not have the memory.
   *
   * @example
   * ```ts
   * for (const { version, type, at, fields } of await mirror.history(id)) console.log(version, type, at, fields);
   * ```
   */
  history(memoryId: string): Promise<HistoryEvent[]>;
  /**
   * Removes a memory with its versions, words, media and pages. No later sync adds it again.
   *
   * Only a SHA-256 of its id stays. A page that you edited stays too, and `leftFiles` names it.
   *
   * @example
   * ```ts
   * const { purged, leftFiles } = await mirror.purge(id);
   * console.log(purged, leftFiles);
   * ```
   *
   * @throws {@link MirrorError} with the code `busy` if another process reads the mirror. The memory can no longer be
   * read then. The next `openMirror` or `sync` removes its bytes.
   */
  purge(memoryId: string): Promise<PurgeReport>;
  /**
   * Writes a Markdown page for each memory and for each named person into `pages`, and `index.html`. It does not replace
   * a page that you edited.
   *
   * @example
   * ```ts
   * const { written, warnings } = await mirror.writePages({ timeZone: 'Europe/Berlin' });
   * console.log(`${written} pages written`);
   * for (const { path, writtenTo } of warnings) console.warn(`${path} was edited. The new version is ${writtenTo}.`);
   * ```
   */
  writePages(options?: PagesOptions): Promise<PagesReport>;
  /**
   * Yields the memories as records, newest first. `putMemories` and `memory-read import` accept them.
   *
   * The object key of a media file is its path in the folder `media` of the mirror.
   *
   * @example
   * ```ts
   * for await (const record of mirror.exportRecords()) console.log(record.id, record.media.audio?.object_key);
   * ```
   */
  exportRecords(options?: RangeOptions): AsyncIterable<MemoryRecord>;
  /**
   * Writes documents and media of each memory to a folder, such as `2026-11-19 Standup f5c8.srt`, and returns a report.
   *
   * The files follow the mirror: they are renamed with their memory, and `purge` removes them. A file that you edited, or
   * that was there before, is not replaced: the new version is beside it. Media share the space of the mirror where the
   * disk can. Section 4.2 of the specification has the fields of a memory.
   *
   * @example
   * ```ts
   * const { saved, renamed, kept } = await mirror.exportFiles(folder, { formats: ['srt', 'markdown'], media: true });
   * console.log(`${saved} files saved, ${renamed} renamed`);
   * for (const { path, writtenTo } of kept) console.warn(`${path} is yours. The new version is ${writtenTo}.`);
   * ```
   *
   * @throws {@link MirrorError} with the code `foreign_folder` if the folder belongs to something else, or `disk_full`.
   */
  exportFiles(folder: string, options: ExportFilesOptions): Promise<ExportFilesReport>;
  /** Returns the folders to which `exportFiles` wrote, in the order in which they were first written. */
  listExports(): Promise<ExportFolder[]>;
  /**
   * Copies the database to a file that must not exist, also while other processes read or sync. It needs no write access.
   *
   * The copy has what was committed when it began, without media and pages. As `mirror.sqlite` of a new folder it is a
   * mirror, whose next sync loads the media.
   *
   * @example
   * ```ts
   * const { file, size } = await mirror.backup(target);
   * console.log(file, size);
   * ```
   *
   * @throws {@link MirrorError} with the code `storage` if the file exists.
   */
  backup(file: string, options?: { signal?: AbortSignal | undefined }): Promise<{ file: string; size: number }>;
  /**
   * Reads everything and returns what is damaged: bytes that are not those that were written. It changes nothing.
   *
   * Recordings of an earlier version get the digest with which later checks compare them. A page that you edited is not
   * damaged.
   *
   * @example
   * ```ts
   * const { damaged } = await mirror.check();
   * for (const { memoryId, part, version, path } of damaged) console.error(memoryId, part, version ?? path);
   * ```
   */
  check(options?: { signal?: AbortSignal | undefined }): Promise<CheckReport>;
  /**
   * Takes from the server what is damaged, and writes the index and the pages again.
   *
   * A version is put back only if the server still has its content. Otherwise, today's content is a new version, and the
   * damaged one is in `lost`: `getMemory` with `asOf` rejects with `damaged`. Only damaged names of people
   * are deleted, once `lost` has reported them: import a file of names to get them back.
   *
   * @example
   * ```ts
   * const { repaired, lost } = await mirror.repair(client);
   * console.log(`${repaired} repaired, ${lost.length} lost`);
   * ```
   */
  repair(client: SyncClient, options?: { signal?: AbortSignal | undefined }): Promise<RepairReport>;
  /** The people: who the speakers are, on this machine only. See section 2.3 of the specification for labels. */
  readonly people: MirrorPeople;
  /** Closes the mirror when its running operations have ended. Further calls do nothing. */
  close(): Promise<void>;
}

/**
 * Opens the mirror of a folder, and creates it if it is missing. It finishes a purge that was interrupted.
 *
 * @example
 * ```ts
 * import { MemoryClient } from '@memory-read/client';
 * import { openMirror } from '@memory-read/mirror';
 *
 * const client = new MemoryClient(); // takes MEMORY_API_URL and MEMORY_API_KEY from the environment
 * const mirror = await openMirror({ folder: process.env.MEMORY_FOLDER ?? 'memories' });
 *
 * await mirror.sync(client); // one request if nothing has changed
 * const { hits } = await mirror.search('burst pipe');
 * for (const { startedAt, name, snippet } of hits) console.log(startedAt, name, snippet.text);
 * ```
 *
 * @throws {@link MirrorError} if the folder cannot be used, or with the code `unsupported_runtime` if Node is older
 * than 22.16. A file of another application is not changed.
 */
export async function openMirror(options: OpenMirrorOptions): Promise<Mirror> {
  const { folder, readOnly, clock, warn } = readMirrorOptions(options);
  const hardening = new Hardening(folder, warn);
  const database = openDatabase(folder, { readOnly, hardening });
  const mirror = new OpenMirror({ database, folder, hardening }, { readOnly, clock });
  if (!readOnly) await mirror.finishPurges();
  return mirror;
}

class OpenMirror implements Mirror {
  readonly folder: string;
  readonly people: MirrorPeople;
  readonly #events: MirrorEvents;
  readonly #storage: MirrorStorage;
  readonly #readOnly: boolean;
  readonly #clock: { now(): Date };
  readonly #running = new Set<Promise<unknown>>();
  readonly #purges = new PurgeReports();
  #lastAlone: Promise<unknown> = Promise.resolve();
  #closed: Promise<void> | undefined;

  constructor(storage: MirrorStorage, { readOnly, clock }: { readOnly: boolean; clock: { now(): Date } }) {
    this.#clock = clock;
    this.#storage = storage;
    this.folder = storage.folder;
    this.#readOnly = readOnly;
    const host: EventsHost = {
      storage,
      now: () => this.#now(),
      read: (action, work) => this.#run(action, work),
      change: (action, work, options) =>
        this.#run(
          action,
          (database) => {
            this.#assertWritable(action);
            return work(database);
          },
          options,
        ),
    };
    this.#events = openEvents(host);
    this.people = openPeople({
      ...host,
      purge: (action, prepare) =>
        this.#run(action, async () => {
          this.#assertWritable(action);
          const { purgeName, work } = prepare();
          await this.#purge(action, work);
          return this.#purges.take(purgeName);
        }),
    });
  }

  events(options?: EventsOptions): Promise<EventPage> {
    return this.#events.events(options);
  }

  deliver(sink: string, send: SendEvent, options?: DeliverOptions): Promise<DeliveryReport> {
    return this.#events.deliver(sink, send, options);
  }

  listSinks(): Promise<SinkState[]> {
    return this.#events.listSinks();
  }

  listDeliveries(sink: string, options?: { state?: 'retrying' | 'parked' | undefined }): Promise<Delivery[]> {
    return this.#events.listDeliveries(sink, options);
  }

  replay(sink: string, eventIds: readonly string[]): Promise<number> {
    return this.#events.replay(sink, eventIds);
  }

  resumeSink(sink: string): Promise<boolean> {
    return this.#events.resumeSink(sink);
  }

  removeSink(sink: string): Promise<boolean> {
    return this.#events.removeSink(sink);
  }

  sync(client: SyncClient, options: SyncOptions = {}): Promise<SyncReport> {
    const action = 'sync the mirror';
    return this.#run(
      action,
      () => {
        const settings = readSyncOptions(client, options);
        const sync = () => syncMirror(this.#syncedStorage, client, settings);
        if (settings.dryRun) return sync();
        return this.#write(action, sync);
      },
      options,
    );
  }

  search(query: string, options: SearchOptions = {}): Promise<SearchPage> {
    return this.#run('search the mirror', (database) => searchMemories(database, query, options));
  }

  listMemories(options: ListOptions = {}): Promise<MirroredPage> {
    const action = 'list memories';
    return this.#run(action, (database) => {
      checkOptions(action, options, ['since', 'until', 'timeZone', 'limit', 'cursor']);
      if (options.cursor !== undefined) checkText(action, 'cursor', options.cursor);
      const limit = readCount(action, 'limit', options.limit, { min: 1, max: 1_000, default: 100 });
      return listMemories(database, { range: readRange(action, options), limit, cursor: options.cursor });
    });
  }

  getMemory(memoryId: string, options: { asOf?: Date | string | undefined } = {}): Promise<MirroredMemory | undefined> {
    const action = 'get the memory';
    return this.#run(action, (database) => {
      checkText(action, 'memoryId', memoryId);
      checkOptions(action, options, ['asOf']);
      const asOf = options.asOf === undefined ? undefined : readInstant(action, 'asOf', options.asOf);
      return getMemory(database, memoryId, asOf);
    });
  }

  history(memoryId: string): Promise<HistoryEvent[]> {
    const action = 'read the history';
    return this.#run(action, (database) => {
      checkText(action, 'memoryId', memoryId);
      return listHistory(database, memoryId);
    });
  }

  purge(memoryId: string): Promise<PurgeReport> {
    const action = 'purge the memory';
    return this.#run(action, async () => {
      checkText(action, 'memoryId', memoryId);
      const { logPending } = await this.#purge(action, () => purgeMemories(this.#storage, [memoryId]));
      const memory = this.#purges.take(memoryPurge(memoryId));
      const { leftFiles = [], pendingFolders = [] } = memory ?? this.#purges.take(namesPurge(memoryId)) ?? {};
      return { purged: memory !== undefined, leftFiles, pendingFolders, logPending };
    });
  }

  writePages(options: PagesOptions = {}): Promise<PagesReport> {
    const action = 'write the pages';
    return this.#run(
      action,
      (database) => {
        checkOptions(action, options, ['since', 'until', 'timeZone', 'signal']);
        const timeZone = readTimeZone(action, options.timeZone) ?? systemTimeZone();
        const isInRange = rangeTest(action, { ...options, timeZone });
        const signal = readSignal(action, options.signal);
        return this.#write(action, async () => {
          await this.#finishPurges();
          writeSetting(database, 'time_zone', timeZone);
          return writePages(this.#storage, { timeZone, isInRange, signal });
        });
      },
      options,
    );
  }

  exportFiles(folder: string, options: ExportFilesOptions): Promise<ExportFilesReport> {
    const action = 'export the files';
    return this.#run(
      action,
      () => {
        const settings = readExportOptions(folder, options);
        const run = () => exportFiles(this.#storage, folder, settings);
        if (settings.dryRun) return run();
        return this.#write(action, async () => {
          await this.#finishPurges();
          return run();
        });
      },
      options,
    );
  }

  listExports(): Promise<ExportFolder[]> {
    return this.#run('list the exports', (database) =>
      listFolderRows(database).map((row) => {
        const { path, name, timeZone } = row;
        return { folder: path, name, timeZone, isReachable: isReachable(row) };
      }),
    );
  }

  backup(file: string, options: { signal?: AbortSignal | undefined } = {}): Promise<{ file: string; size: number }> {
    const action = 'back up the mirror';
    return this.#run(
      action,
      () => {
        checkText(action, 'file', file);
        if (file === '' || file.includes('\0')) {
          throw invalidOption(action, 'file is empty or contains a NUL character', 'Pass the path of a new file');
        }
        const signal = readOnlySignal(action, options);
        signal?.throwIfAborted();
        return backupDatabase(this.#storage, resolve(file), signal);
      },
      options,
    );
  }

  check(options: { signal?: AbortSignal | undefined } = {}): Promise<CheckReport> {
    const action = 'check the mirror';
    return this.#run(
      action,
      (database) => {
        const signal = readOnlySignal(action, options);
        assertVersion(database, action, NEWEST_VERSION);
        const settings = { signal, readOnly: this.#readOnly };
        return this.#alone(() => checkMirror({ database, folder: this.folder }, settings));
      },
      options,
    );
  }

  repair(client: SyncClient, options: { signal?: AbortSignal | undefined } = {}): Promise<RepairReport> {
    const action = 'repair the mirror';
    return this.#run(
      action,
      async () => {
        const signal = readOnlySignal(action, options);
        assertClient(action, client);
        const repair = async () => {
          await this.#finishPurges();
          return repairMirror(this.#syncedStorage, client, signal);
        };
        const { requests, repaired, lost } = await this.#alone(() => this.#write(action, repair));
        return { requests, repaired, lost };
      },
      options,
    );
  }

  async *exportRecords(options: RangeOptions = {}): AsyncGenerator<MemoryRecord, void, undefined> {
    const action = 'export the records';
    const records = await this.#run(action, (database) => {
      checkOptions(action, options, ['since', 'until', 'timeZone']);
      return exportRecords(database, rangeTest(action, options));
    });
    for (;;) {
      const next = await this.#run(action, () => records.next());
      if (next.done) return;
      yield next.value;
    }
  }

  close(): Promise<void> {
    this.#closed ??= Promise.allSettled(this.#running).then(() => {
      const { database } = this.#storage;
      try {
        // SQLite does this itself only if no other process has the mirror open.
        if (!this.#readOnly) writeBackLog(database);
      } catch (error) {
        throw explainStorageError(error, 'close the mirror in', this.folder);
      } finally {
        database.close();
      }
    });
    return this.#closed;
  }

  async finishPurges(): Promise<void> {
    try {
      await this.#run('open the mirror', async (database) => {
        if (hasPendingPurges(database)) {
          await this.#write('finish the purge', async () => {
            await this.#finishPurges();
            return {};
          });
        }
      });
    } catch (error) {
      if (isMirrorError(error) && error.code === 'busy') return;
      await this.close();
      throw error;
    }
  }

  async #finishPurges(): Promise<void> {
    try {
      this.#purges.keep((await ignoreBusyReaders(() => finishPurges(this.#storage))) ?? []);
    } catch (error) {
      // A purge that another program wrote stays, and keeps nothing else from working.
      if (!isDamage(error)) throw error;
    }
  }

  #purge(action: string, work: () => Promise<FinishedPurge[]>): Promise<{ logPending: boolean }> {
    return this.#alone(() =>
      this.#write(action, async () => {
        this.#purges.keep(await work());
        return {};
      }),
    );
  }

  get #syncedStorage(): SyncedStorage {
    return { ...this.#storage, now: () => this.#now(), finishPurges: () => this.#finishPurges() };
  }

  #now(): number {
    return ofCaller(() => this.#clock.now().getTime());
  }

  #assertWritable(action: string): void {
    if (!this.#readOnly) return;
    throw new MirrorError(
      'read_only',
      `Failed to ${action}: the mirror is open for reading only. Open it without readOnly.`,
    );
  }

  /** Runs checks, repairs and purges one after another: a check reads the log, which a purge removes. */
  #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const running = this.#lastAlone.then(work);
    this.#lastAlone = running.catch(() => {});
    return running;
  }

  /** Runs work that writes, and adds to its report whether a reader kept the log. */
  async #write<Report extends object>(
    action: string,
    work: () => Promise<Report>,
  ): Promise<Report & { logPending: boolean }> {
    this.#assertWritable(action);
    const lock = WriterLock.take(this.folder, action, this.#storage.hardening);
    try {
      // A link would make files outside of the mirror appear as its own, so that they are replaced and removed.
      for (const part of parts) assertPathType('folder', join(this.folder, part), 'use');
      const report = await work();
      return { ...report, logPending: writeBackLog(this.#storage.database) };
    } finally {
      lock.release();
    }
  }

  async #run<Result>(
    action: string,
    work: (database: MirrorDatabase) => Result | Promise<Result>,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<Result> {
    if (this.#closed) throw new MirrorError('closed', `Failed to ${action}: the mirror is closed. Open it again.`);
    const running = (async () => {
      // SQLite reads synchronously, so a loop over pages or memories would stop everything else.
      await yieldToEventLoop();
      return work(this.#storage.database);
    })();
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      if (options?.signal?.aborted) throw options.signal.reason;
      throw explainStorageError(error, `${action} in`, this.folder);
    } finally {
      this.#running.delete(running);
    }
  }
}
