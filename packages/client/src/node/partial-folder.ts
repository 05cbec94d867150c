import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isStrongEtag } from '../media/storage-response.ts';
import { PartialFile } from './partial-file.ts';
import type { SaveTarget } from './save-target.ts';

/** What an earlier call has left, open to be read. */
export interface Rest {
  readonly path: string;
  readonly handle: FileHandle;
  readonly size: number;
  readonly etag: string;
  readonly modifiedAt: number;
}

/** So long that its hexadecimal form still fits into the name of a file. */
const LONGEST_ETAG = 80;

/** The hidden files beside a target that hold its beginnings. */
export class PartialFolder {
  readonly #path: string;
  readonly #prefix: string;
  readonly #mode: number | undefined;

  /** Files are told apart by what they are the beginning of, and where that is to be put. */
  constructor({ path, mode }: SaveTarget, origin: readonly string[]) {
    const hash = createHash('sha256').update(JSON.stringify([basename(path), ...origin]));
    this.#path = dirname(path);
    this.#prefix = `.memory-read-${hash.digest('hex').slice(0, 16)}-`;
    this.#mode = mode;
  }

  /**
   * The longest of what earlier calls have left of the latest object: whoever was killed while it copied a beginning has
   * left a shorter one. What this user has not left, or cannot read, is as if it were not there.
   */
  async openRest(): Promise<Rest | undefined> {
    const found = (await Promise.all((await this.#list()).map(openRest))).filter((rest) => rest !== undefined);
    const [latest] = [...found].sort((one, other) => other.modifiedAt - one.modifiedAt);
    const [longest] = found.filter(({ etag }) => etag === latest?.etag).sort((one, other) => other.size - one.size);
    await Promise.all(found.filter((rest) => rest !== longest).map(({ handle }) => handle.close()));
    return longest;
  }

  /** A file for an object. Its name tells the ETag, so that a later call can go on with it; not every ETag serves. */
  async create(etag: string | null): Promise<PartialFile> {
    const hexadecimal = isResumable(etag) ? Buffer.from(etag, 'latin1').toString('hex') : '';
    const nextPath = () => join(this.#path, `${this.#prefix}${hexadecimal}.${randomBytes(8).toString('hex')}.part`);
    return PartialFile.create({ nextPath, mode: this.#mode });
  }

  /** Removes what is of no use once the target is there. Whoever is writing one of them goes on without its name. */
  async clear(): Promise<void> {
    for (const path of await this.#list()) await unlink(path).catch(() => {});
  }

  async #list(): Promise<string[]> {
    const names = await readdir(this.#path);
    return names.filter((name) => name.startsWith(this.#prefix)).map((name) => join(this.#path, name));
  }
}

export function isResumable(etag: string | null): etag is string {
  return isStrongEtag(etag) && etag.length <= LONGEST_ETAG;
}

/** In a folder of several users, anyone can put anything under any name. */
async function openRest(path: string): Promise<Rest | undefined> {
  const etag = etagOf(basename(path));
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = etag === undefined ? undefined : await open(path, flags).catch(() => undefined);
  if (etag === undefined || handle === undefined) return undefined;
  const status = await handle.stat();
  const isOwn = process.getuid === undefined || status.uid === process.getuid();
  const isPrivate = status.nlink === 1 && (process.getuid === undefined || (status.mode & 0o022) === 0);
  if (status.isFile() && isOwn && isPrivate && status.size > 0) {
    return { path, handle, size: status.size, etag, modifiedAt: status.mtimeMs };
  }
  await handle.close();
  return undefined;
}

function etagOf(name: string): string | undefined {
  const [, hexadecimal] = /-((?:[\da-f]{2})+)\.[\da-f]+\.part$/.exec(name) ?? [];
  const etag = hexadecimal && Buffer.from(hexadecimal, 'hex').toString('latin1');
  return isStrongEtag(etag) ? etag : undefined;
}
