import { constants } from 'node:fs';
import { type FileHandle, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { unlessRefused } from '@memory-read/contract/file-errors';
import { closeFile } from './close-file.ts';

/** A new file, with the permissions that it gets when it is moved. Until then only its owner can read it. */
interface NewFile {
  readonly handle: FileHandle;
  readonly path: string;
  readonly mode: number;
}

/** Path and permissions of a new file. */
export interface FilePlan {
  /** Returns an unused path, a new one for each call. */
  nextPath(): string;
  /** Permissions of the replaced file; undefined if the file is new and gets those of the process. */
  readonly mode: number | undefined;
}

const COPY_SIZE = 1_048_576;

/**
 * The beginning of an object on disk, without gaps. Only one process ever writes to it; another process resumes a copy.
 *
 * No process can therefore write to a file that was already moved to its target. Other processes can delete its name at
 * any time.
 */
export class PartialFile {
  readonly #plan: FilePlan;
  #file: NewFile;

  private constructor(plan: FilePlan, file: NewFile) {
    this.#plan = plan;
    this.#file = file;
  }

  static async create(plan: FilePlan): Promise<PartialFile> {
    return new PartialFile(plan, await createFile(plan));
  }

  async write(chunk: Uint8Array, position: number): Promise<void> {
    await writeAll(this.#file.handle, chunk, position);
  }

  async copy(source: FileHandle, size: number): Promise<void> {
    await copyBytes(source, this.#file.handle, size);
  }

  /** Moves the complete file to the target, and closes it. If its name was deleted, it gets a new one first. */
  async moveTo(target: string, size: number): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const { handle, path, mode } = this.#file;
      await unlessRefused(() => handle.chmod(mode));
      await unlessRefused(() => handle.sync());
      try {
        await rename(path, target);
        break;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === 100) throw error;
      }
      this.#file = await createFile(this.#plan);
      await copyBytes(handle, this.#file.handle, size).finally(() => closeFile(handle));
    }
    await syncFolder(dirname(target));
    // Without a sync, a network share reports only now what it could not write.
    await closeFile(this.#file.handle);
  }

  async close(): Promise<void> {
    await this.#file.handle.close().catch(() => {});
  }

  async remove(): Promise<void> {
    await this.close();
    await unlink(this.#file.path).catch(() => {});
  }
}

async function createFile(plan: FilePlan): Promise<NewFile> {
  const path = plan.nextPath();
  const mode = (plan.mode ?? (await modeOfNewFile(plan.nextPath()))) & 0o777;
  // Others must not open it even for a moment: they could read on later.
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  return { handle, path, mode };
}

/** The permissions that the process and the file system give are known only from a file that was created. */
export async function modeOfNewFile(path: string, mode?: number): Promise<number> {
  const handle = await open(path, 'wx', mode);
  try {
    return (await unlessRefused(() => handle.stat()))?.mode ?? 0o600;
  } finally {
    await closeFile(handle);
    // Another process may have removed it with the incomplete downloads of its target.
    await unlink(path).catch(() => {});
  }
}

async function copyBytes(source: FileHandle, target: FileHandle, size: number): Promise<void> {
  const buffer = new Uint8Array(Math.min(COPY_SIZE, size));
  for (let position = 0; position < size; ) {
    const { bytesRead } = await source.read(buffer, 0, Math.min(buffer.byteLength, size - position), position);
    if (bytesRead === 0)
      throw new Error('Failed to resume media: its partial file has become shorter. Save the media again.');
    await writeAll(target, buffer.subarray(0, bytesRead), position);
    position += bytesRead;
  }
}

async function writeAll(handle: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < chunk.byteLength; ) {
    const { bytesWritten } = await handle.write(chunk, written, chunk.byteLength - written, position + written);
    written += bytesWritten;
  }
}

/** A power failure could otherwise lose the new name. Not every system can open a folder. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY).catch(() => undefined);
  if (handle) await unlessRefused(() => handle.sync()).finally(() => closeFile(handle));
}
