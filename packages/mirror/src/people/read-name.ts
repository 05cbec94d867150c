import { speakerKey } from '@memory-read/client/search';

/** A name that can be stored, and what it has in common with its other spellings. */
export interface PersonName {
  name: string;
  folded: string;
}

/**
 * Returns the visible form of a name. Names with the same `folded` are those of one person.
 *
 * @throws {@link MirrorError} with the code `invalid_option`.
 */
export function readName(_action: string, _text: string): PersonName {
  throw new Error(`TODO ${speakerKey('')}`);
}
