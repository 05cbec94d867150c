import { resolve } from 'node:path';
import { systemClock } from '@memory-read/contract/date-time';
import type { MirrorWarning } from '../files/hardening.ts';
import { checkOptions, checkText, invalidOption, type RangeOptions, readCallback, readFlag } from './check-options.ts';

/** Options of `openMirror`. */
export interface OpenMirrorOptions {
  /** Folder of the mirror. It is created if it is missing. */
  folder: string;
  /** Whether to open the mirror for reading only, which creates nothing. Default: `false`. */
  readOnly?: boolean | undefined;
  /** Source of the current time. Default: the clock of the system. */
  clock?:
    | {
        /** Returns the current time. */
        now(): Date;
      }
    | undefined;
  /** Receives what the disk or the runtime cannot do, each code once while the mirror is open. Default: none. */
  onWarning?: ((warning: MirrorWarning) => void) | undefined;
}

/** Options of `writePages`. */
export interface PagesOptions extends RangeOptions {
  /** IANA time zone of the dates and of the range, such as `Asia/Tokyo`. Default: that of the system. */
  timeZone?: string | undefined;
  /** Cancels the run. Pages that were written stay, and the next run writes the others. Default: none. */
  signal?: AbortSignal | undefined;
}

/** Options of a mirror with their defaults. */
interface MirrorSettings {
  /** Absolute path. */
  folder: string;
  readOnly: boolean;
  clock: { now(): Date };
  warn: (warning: MirrorWarning) => void;
}

/** @throws {@link MirrorError} with the code `invalid_option`. */
export function readMirrorOptions(options: OpenMirrorOptions): MirrorSettings {
  const action = 'open the mirror';
  checkOptions(action, options, ['folder', 'readOnly', 'clock', 'onWarning']);
  const { folder, clock = systemClock } = options;
  checkText(action, 'folder', folder);
  if (folder === '' || folder.includes('\0')) {
    throw invalidOption(action, 'folder is empty or contains a NUL character', 'Pass the path of a folder');
  }
  if (typeof clock?.now !== 'function')
    throw invalidOption(action, 'clock has no function now', 'Pass one, or nothing');
  return {
    folder: resolve(folder),
    readOnly: readFlag(action, 'readOnly', options.readOnly),
    clock,
    warn: readCallback(action, 'onWarning', options.onWarning),
  };
}
