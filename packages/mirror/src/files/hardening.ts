import { chmodSync, closeSync, fchmodSync, fstatSync, fsync, fsyncSync, openSync, rmSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { refusalCode } from '@memory-read/contract/file-errors';
import { temporaryPath } from './temporary-path.ts';

/** What the disk or the runtime cannot do for the files of a mirror. They are complete without it. */
export interface MirrorWarning {
  /**
   * Stable name of the warning.
   *
   * - `not_private`: the permissions of a file or folder cannot be set. Other users may be able to read it.
   * - `not_durable`: a file cannot be synced to the disk. A power failure may damage or lose it.
   */
  code: 'not_private' | 'not_durable';
  /** What cannot be done, why, and what to do. */
  message: string;
}

/** Steps without which a file is complete. A disk or runtime that refuses one causes a warning, once for each code. */
export class Hardening {
  readonly #folder: string;
  readonly #onWarning: (warning: MirrorWarning) => void;
  readonly #given = new Set<MirrorWarning['code']>();

  constructor(folder: string, onWarning: (warning: MirrorWarning) => void = () => {}) {
    this.#folder = folder;
    this.#onWarning = onWarning;
  }

  /** Sets the permissions of an open file, or of a path. Some disks accept them without effect. */
  setMode(target: number | string, mode: number): void {
    let reason = 'no effect';
    try {
      if (typeof target === 'number') fchmodSync(target, mode);
      else chmodSync(target, mode);
      const found = typeof target === 'number' ? fstatSync(target) : statSync(target);
      if (process.platform === 'win32' || (found.mode & 0o777) === mode) return;
    } catch (error) {
      reason = refusalOf(error);
    }
    const advice = 'Keep the mirror on a disk with permissions, or in a folder that only you can open';
    this.#warn('not_private', `make the files in ${JSON.stringify(this.#folder)} private`, reason, advice);
  }

  /** Syncs an open file to the disk. */
  async sync(descriptor: number): Promise<void> {
    await promisify(fsync)(descriptor).catch((error) => this.#notSynced(error));
  }

  /** Returns whether the disk can sync a file. Without it, SQLite would fail at the end of each transaction. */
  canSync(): boolean {
    const path = temporaryPath(this.#folder);
    let descriptor: number;
    try {
      descriptor = openSync(path, 'wx', 0o600);
    } catch {
      // A mirror in such a folder can be read. The first write says why it fails.
      return true;
    }
    try {
      fsyncSync(descriptor);
      return true;
    } catch (error) {
      // A permission model does not apply to SQLite.
      return ['ERR_ACCESS_DENIED', 'NotCapable'].includes(this.#notSynced(error));
    } finally {
      closeSync(descriptor);
      rmSync(path, { force: true });
    }
  }

  #notSynced(error: unknown): string {
    const reason = refusalOf(error);
    const advice = 'Keep a backup elsewhere, because a power failure can damage the mirror';
    this.#warn('not_durable', `sync the files in ${JSON.stringify(this.#folder)} to the disk`, reason, advice);
    return reason;
  }

  #warn(code: MirrorWarning['code'], action: string, reason: string, advice: string): void {
    if (this.#given.has(code)) return;
    this.#given.add(code);
    const message = `Failed to ${action}: the disk or the runtime does not support it (${reason}). ${advice}.`;
    this.#onWarning({ code, message });
  }
}

/** Returns the code of a step that was refused. A failure that can lose bytes, such as EIO, is thrown. */
function refusalOf(error: unknown): string {
  const code = refusalCode(error);
  if (code === undefined) throw error;
  return code;
}
