import { MirrorError } from '../errors/mirror-error.ts';

const MOST_LABELS = 10;

export function unknownMemory(action: string, memoryId: string): MirrorError {
  const reason = `the mirror has no memory ${JSON.stringify(memoryId)}`;
  return new MirrorError('unknown_memory', `Failed to ${action}: ${reason}. Check the id, or sync the mirror.`);
}

export function unknownSpeaker(action: string, label: string, labels: readonly string[]): MirrorError {
  const names = labels.slice(0, MOST_LABELS).map((each) => JSON.stringify(each));
  const more = labels.length > MOST_LABELS ? ` and ${labels.length - MOST_LABELS} more` : '';
  const message =
    labels.length === 0
      ? 'the memory has no transcript. Sync the mirror when the memory is processed.'
      : `the memory has no speaker ${JSON.stringify(label)}. Its speakers are ${names.join(', ')}${more}.`;
  return new MirrorError('unknown_speaker', `Failed to ${action}: ${message}`);
}

export function unknownPerson(action: string, name: string): MirrorError {
  const reason = `there is no person ${JSON.stringify(name)}`;
  return new MirrorError(
    'unknown_person',
    `Failed to ${action}: ${reason}. List the people with memory-read people list.`,
  );
}

export function nameTaken(person: string, taken: string): MirrorError {
  const [one, other] = [person, taken].map((name) => JSON.stringify(name));
  // Quotes do not make a command of another name safe in every shell.
  const isPlain = [person, taken].every((name) => /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .'-]*$/u.test(name));
  const names = isPlain ? `${one} ${other}` : 'with both names';
  const advice = `To make them one person, run memory-read people merge ${names}`;
  return new MirrorError('name_taken', `Failed to rename the person: there is a person ${other} already. ${advice}.`);
}

/** What the caller of an import wanted. */
export const importAction = 'import the names';

export function invalidFile(problem: string, advice = 'Correct the line'): MirrorError {
  return new MirrorError('invalid_file', `Failed to ${importAction}: ${problem}. ${advice}. Nothing was imported.`);
}
