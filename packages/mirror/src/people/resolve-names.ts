import type { Spoken } from './said.ts';

/** A decision that names a speaker, and the version that the person saw. */
export interface NamedVersion {
  /** Digest of what the speaker said. */
  said: string;
  /** The person, as a value that equals that of no other person. */
  person: number;
  /** The version in which it was said; undefined if the mirror does not have it. */
  seen: Spoken | undefined;
}

/** What becomes of a name in another version: the speaker who has it, or for a doubtful one, the likely speaker. */
export type ResolvedName = { state: 'certain'; label: string } | { state: 'doubtful'; label: string | null };

/** Returns what becomes of each name in a version. */
export function resolveNames(_names: readonly NamedVersion[], _memory: Spoken): ResolvedName[] {
  throw new Error('TODO');
}
