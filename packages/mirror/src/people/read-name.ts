import { speakerKey } from '@memory-read/client/search';
import { visibleText } from '@memory-read/contract/visible-text';
import { invalidOption } from '../options/check-options.ts';

const LONGEST_NAME = 100;
/** Matches a folded label of the API. As a name, it would look like a speaker without a name. */
const apiLabel = /^speaker \p{N}+$/u;

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
export function readName(action: string, text: string): PersonName {
  const name = visibleText(text);
  if (name === '') throw invalidOption(action, 'the name has no visible character', 'Pass the name of a person');
  if (name.length > LONGEST_NAME) {
    const reason = `the name has ${name.length} UTF-16 units`;
    throw invalidOption(action, reason, `Pass at most ${LONGEST_NAME}`);
  }
  const folded = speakerKey(name);
  if (apiLabel.test(folded)) {
    throw invalidOption(action, `${JSON.stringify(name)} is a label, not a name`, 'Pass the name of a person');
  }
  return { name, folded };
}
