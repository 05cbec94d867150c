import type { Hardening } from './hardening.ts';

/** A folder with derived files. */
export interface DerivedFolder {
  folderKey: number;
  /** Absolute path. */
  path: string;
  /** Whether only the owner of the process may read the files. Otherwise they follow the umask. */
  isPrivate: boolean;
  hardening: Hardening;
}
