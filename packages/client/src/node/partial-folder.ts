import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { unlessRefused } from '@memory-read/contract/file-errors';
import { isStrongEtag } from '../media/storage-response.ts';
import { closeFile } from './close-file.ts';
import { modeOfNewFile, PartialFile } from './partial-file.ts';
import type { SaveTarget } from './save-target.ts';

/** Bytes that an earlier call has saved, open for reading. */
export interface Rest {
  readonly path: string;
  readonly handle: FileHandle;
  readonly size: number;
  readonly etag: string;
  readonly modifiedAt: number;
}

/** Maximum length of an ETag whose hexadecimal form fits into a file name. */
const LONGEST_ETAG = 80;

/** The hidden files beside a target that hold incomplete downloads. */
export class PartialFolder {
  readonly #path: string;
  readonly #prefix: string;
  readonly #mode: number | undefined;

  /** The file name identifies the object and the target. */
  constructor({ path, mode }: SaveTarget, origin: readonly string[]) {
    const hash = createHash('sha256').update(JSON.stringify([basename(path), ...origin]));
    this.#path = dirname(path);
    this.#prefix = `.memory-read-${hash.digest('hex').slice(0, 16)}-`;
    this.#mode = mode;
  }

  /**
   * Opens the longest saved beginning of the latest object. A process that was killed while it copied a beginning has
   * left a shorter one.
   *
   * Files that this user did not write or cannot read are ignored.
   */
  async openRest(): Promise<Rest | undefined> {
    const modeOfPrivateFile = () => modeOfNewFile(this.#nextPath(), 0o600).catch(() => 0o600);
    const opened = await Promise.all((await this.#list()).map((path) => openRest(path, modeOfPrivateFile)));
    const found = opened.filter((rest) => rest !== undefined);
    const [latest] = [...found].sort((one, other) => other.modifiedAt - one.modifiedAt);
    const [longest] = found.filter(({ etag }) => etag === latest?.etag).sort((one, other) => other.size - one.size);
    await Promise.all(found.filter((rest) => rest !== longest).map(({ handle }) => closeFile(handle)));
    return longest;
  }

  /**
   * Creates a file for an object. Its name contains the ETag, so that a later call can resume it, unless the ETag is
   * weak or too long.
   */
  async create(etag: string | null): Promise<PartialFile> {
    const hexadecimal = isResumable(etag) ? Buffer.from(etag, 'latin1').toString('hex') : '';
    return PartialFile.create({ nextPath: () => this.#nextPath(hexadecimal), mode: this.#mode });
  }

  /**
   * Removes all incomplete downloads of a complete target. A process that still writes to one continues without its
   * name.
   */
  async clear(): Promise<void> {
    for (const path of await this.#list()) await unlink(path).catch(() => {});
  }

  #nextPath(hexadecimal = ''): string {
    return join(this.#path, `${this.#prefix}${hexadecimal}.${randomBytes(8).toString('hex')}.part`);
  }

  async #list(): Promise<string[]> {
    const names = (await unlessRefused(() => readdir(this.#path))) ?? [];
    return names.filter((name) => name.startsWith(this.#prefix)).map((name) => join(this.#path, name));
  }
}

export function isResumable(etag: string | null): etag is string {
  return isStrongEtag(etag) && etag.length <= LONGEST_ETAG;
}

/** In a folder of several users, anyone can create a file of any name. */
async function openRest(path: string, modeOfPrivateFile: () => Promise<number>): Promise<Rest | undefined> {
  const etag = etagOf(basename(path));
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = etag === undefined ? undefined : await open(path, flags).catch(() => undefined);
  if (etag === undefined || handle === undefined) return undefined;
  const status = await unlessRefused(() => handle.stat());
  const user = currentUser();
  const isOwn = user === undefined || status?.uid === user;
  if (status?.isFile() && isOwn && status.nlink === 1 && status.size > 0) {
    // What only its owner can read, and this process has opened, is its own.
    const forbidden = user === undefined ? 0o077 : 0o022;
    const exposed = process.getuid === undefined ? 0 : status.mode & forbidden;
    // Where everyone may write every file, a partial file is as safe as the saved one.
    if (exposed === 0 || (exposed & ~(await modeOfPrivateFile())) === 0) {
      return { path, handle, size: status.size, etag, modifiedAt: status.mtimeMs };
    }
  }
  await closeFile(handle);
  return undefined;
}

/** Deno reveals the user only with --allow-sys. */
function currentUser(): number | undefined {
  try {
    return process.getuid?.();
  } catch {
    return undefined;
  }
}

function etagOf(name: string): string | undefined {
  const [, hexadecimal] = /-((?:[\da-f]{2})+)\.[\da-f]+\.part$/.exec(name) ?? [];
  const etag = hexadecimal && Buffer.from(hexadecimal, 'hex').toString('latin1');
  return isStrongEtag(etag) ? etag : undefined;
}
