import { closeSync, constants, fdatasyncSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { explainFileError, fileError, systemCodeOf } from '../files/file-error.ts';
import { fileStem, stemKey } from '../files/file-stem.ts';
import { writeWholeFile } from '../files/write-whole-file.ts';
import { exitCodes } from '../terminal/command-error.ts';
import type { ArchiveFolder } from './archive-folder.ts';
import type { ArchivedMemory } from './archived-memory.ts';
import { type ManifestContent, parseManifest, readJournal } from './parse-manifest.ts';

/** The name of the manifest in its folder. */
export const manifestName = 'memory-read.json';

/**
 * The index of the memories in a folder. Each change is appended to a journal first, so that a killed run loses
 * nothing. The manifest itself is written once, at the end.
 */
export class Manifest {
  readonly #folder: ArchiveFolder;
  readonly #memories: Map<string, ArchivedMemory>;
  readonly #stems: Set<string>;
  #account: Omit<ManifestContent, 'memories'>;
  #isSettled = false;
  #journal: number | undefined;
  #failure: { readonly error: unknown } | undefined;

  private constructor(folder: ArchiveFolder, { userId, server, emptySince, memories }: ManifestContent) {
    this.#folder = folder;
    this.#account = { userId, server, emptySince };
    this.#memories = new Map(memories.map((memory) => [memory.id, memory]));
    this.#stems = new Set(memories.map(({ stem }) => stemKey(stem)));
  }

  /** @throws CommandError if a manifest exists that cannot be read. */
  static open(folder: ArchiveFolder): Manifest {
    const { content, hasJournal } = readContent(folder);
    const manifest = new Manifest(folder, content);
    if (hasJournal) manifest.#write();
    return manifest;
  }

  /**
   * Reads the manifest, and writes nothing.
   *
   * @throws CommandError if a manifest exists that cannot be read.
   */
  static view(folder: ArchiveFolder): Manifest {
    return new Manifest(folder, readContent(folder).content);
  }

  /** @throws CommandError if the folder belongs to another server. Account ids are unique per server only. */
  assertServer(server: string): void {
    if ([undefined, server].includes(this.#account.server)) return;
    const problem =
      'it holds memories of another server. Choose another folder, or pass --adopt if the server has a new address.';
    throw fileError(this.#folder.path, problem, { exitCode: exitCodes.usage });
  }

  /** @throws CommandError if the folder belongs to another account. */
  assertAccount(userId: string): void {
    if ([undefined, userId].includes(this.#account.userId)) return;
    throw fileError(this.#folder.path, 'it holds memories of another account. Choose another folder.');
  }

  /** @throws CommandError if the folder belongs to another account. */
  claim(userId: string, server: string): void {
    this.assertAccount(userId);
    if (this.#account.userId === userId && this.#account.server === server) return;
    this.#account = { ...this.#account, userId, server };
    this.#append({ userId, server });
  }

  get emptySince(): string | undefined {
    return this.#account.emptySince;
  }

  /** Date-time since which the list is empty; undefined if it is not. */
  set emptySince(emptySince: string | undefined) {
    if (this.#account.emptySince === emptySince) return;
    this.#account = { ...this.#account, emptySince };
    this.#append({ emptySince: emptySince ?? null });
  }

  /** Returns the entry of a memory, or a new one with the stem of its file names. */
  entryOf({ id, name }: { id: string; name: string }): ArchivedMemory {
    const known = this.#memories.get(id);
    if (known) return known;
    const stem = fileStem({ id, name }, (candidate) => this.#stems.has(stemKey(candidate)));
    const memory: ArchivedMemory = { id, name, stem, files: {}, seen: {} };
    this.#stems.add(stemKey(stem));
    this.#memories.set(id, memory);
    return memory;
  }

  entries(): ArchivedMemory[] {
    return [...this.#memories.values()];
  }

  put(memory: ArchivedMemory): void {
    this.#append({ memory });
    this.#memories.set(memory.id, memory);
  }

  /** Changes an entry without the journal, because the next run can detect this change again. */
  settle(memory: ArchivedMemory): void {
    this.#isSettled = true;
    this.#memories.set(memory.id, memory);
  }

  /** Writes the manifest if it has changed. */
  close(): void {
    if (this.#journal === undefined && !this.#isSettled) return;
    if (this.#journal !== undefined) closeSync(this.#journal);
    this.#journal = undefined;
    this.#write();
  }

  #append(change: object): void {
    // The last line may be incomplete, and a line after it could not be parsed.
    if (this.#failure) throw this.#failure.error;
    try {
      this.#journal ??= openSync(this.#folder.workPathOf(journalName), appending, 0o666);
      writeFileSync(this.#journal, `${JSON.stringify(change)}\n`);
      fdatasyncSync(this.#journal);
    } catch (error) {
      this.#failure = { error: explainFileError(this.#folder.path, error) };
      throw this.#failure.error;
    }
  }

  #write(): void {
    const content = { version: 1, ...this.#account, memories: this.entries() };
    const path = this.#folder.pathOf(manifestName);
    try {
      writeWholeFile(path, `${JSON.stringify(content, null, 2)}\n`, this.#folder.workPathOf('manifest.tmp'));
      rmSync(this.#folder.workPathOf(journalName), { force: true });
    } catch (error) {
      throw explainFileError(path, error);
    }
  }
}

const journalName = 'journal.jsonl';
// Reading a named pipe would block until another process writes to it.
const reading = constants.O_RDONLY | constants.O_NOFOLLOW | (constants.O_NONBLOCK ?? 0);
const appending = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;

function readContent(folder: ArchiveFolder): { content: ManifestContent; hasJournal: boolean } {
  const path = folder.pathOf(manifestName);
  const text = readIfAny(path);
  const journal = readIfAny(folder.workPathOf(journalName));
  const content = text === undefined ? { memories: [] } : parseManifest(text, path);
  if (journal === undefined) return { content, hasJournal: false };
  return { content: readJournal(journal, content), hasJournal: true };
}

function readIfAny(path: string): string | undefined {
  try {
    return readFileSync(path, { encoding: 'utf8', flag: reading });
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw explainFileError(path, error);
  }
}
