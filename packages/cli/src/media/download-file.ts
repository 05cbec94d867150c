import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isMemoryApiError, type MediaKind, type MediaProgress, type MemoryClient } from '@memory-read/client';
import { type SavedMedia, saveMedia } from '@memory-read/client/node';
import { unlessRefused } from '@memory-read/contract/file-errors';
import { explainFileError, fileError, systemCodeOf } from '../files/file-error.ts';
import { placeNewFile } from '../files/write-whole-file.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';

/** Options of a download to a path. */
interface FileDownload {
  memoryId: string;
  kind: MediaKind;
  /** Path of the file. */
  target: string;
  signal: AbortSignal;
  onProgress: (progress: MediaProgress) => void;
  /** Whether to replace an existing file. */
  force: boolean;
}

/**
 * Downloads media to a file atomically, and resumes an earlier download.
 *
 * @throws CommandError if an existing file must not be replaced, or the storage sends something other than media.
 */
export async function downloadFile(client: MemoryClient, download: FileDownload): Promise<SavedMedia> {
  const { memoryId, kind, target, force, signal, onProgress } = download;
  let source: string | undefined;
  try {
    // The path may be a symbolic link to the file.
    const path = await realpath(target).catch(() => resolve(target));
    if (!existsSync(dirname(path))) throw fileError(target, missingFolder, { action: 'write' });
    const before = statSync(path, { throwIfNoEntry: false });
    if (before) assertReplaceable(path, before, force);
    const name = createHash('sha256').update(basename(path)).digest('hex').slice(0, 16);
    // Its path is the same in each run, so that a later run can resume the download.
    source = join(dirname(path), `.memory-read-${name}.loaded`);
    rmSync(source, { force: true });
    const saved = await saveMedia(client, memoryId, kind, source, { signal, onProgress });
    assertMedia(download, source);
    if (before) unlessRefused(() => chmodSync(saved.path, before.mode));
    if (before) renameSync(source, path);
    else if (!placeNewFile(source, path)) throw fileError(path, occupied, { action: 'save' });
    return { ...saved, path: join(dirname(saved.path), basename(path)) };
  } catch (error) {
    if (isMemoryApiError(error)) throw error;
    // The client's message names the temporary file.
    const { cause } = Object(error);
    throw explainFileError(target, systemCodeOf(cause) === undefined ? error : cause);
  } finally {
    if (source) rmSync(source, { force: true });
  }
}

const occupied = 'the file exists. Pass another path, or --force to replace it.';
const missingFolder = 'its folder does not exist. Create it first, or end the path with /.';

function assertReplaceable(path: string, found: Stats, force: boolean): void {
  const action = 'save';
  if (!found.isFile()) throw fileError(path, 'it is not a file. Pass another path.', { action });
  if (!force) throw fileError(path, occupied, { action });
}

function assertMedia({ memoryId, kind }: FileDownload, source: string): void {
  const what = describeNonMedia(source);
  if (what === undefined) return;
  throw new CommandError(
    exitCodes.failed,
    `Failed to download the ${kind} of memory ${JSON.stringify(memoryId)}: the storage sent ${what} instead of media. Report this to the operator of the server.`,
  );
}

/** Returns what a downloaded file is instead of media, worded to follow "the storage sent"; undefined if it can be media. */
export function describeNonMedia(path: string): string | undefined {
  const head = readHead(path);
  if (head === '') return 'nothing';
  // All media formats begin with a control character, except SVG images.
  if (/(?!\s)\p{Cc}/u.test(head) || /<svg/i.test(head)) return undefined;
  if (/^\s*<[!?a-z]/i.test(head)) return 'a page';
  return /^\s*[[{]\s*["[\]{}]/.test(head) ? 'JSON' : undefined;
}

function readHead(path: string): string {
  const descriptor = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(1_024);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}
