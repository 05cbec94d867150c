import { fold } from '@memory-read/client/search';
import type { Mirror, Person, SearchPage } from '@memory-read/mirror';
import { mirrorCommand } from '../mirror/find-mirror.ts';
import { listMirror } from '../mirror/list-mirror.ts';
import { formatDateTime } from '../terminal/format-date-time.ts';
import { quantity } from '../terminal/quantity.ts';
import { shellQuoted } from '../terminal/shell-quoted.ts';
import { similarWords } from './similar-words.ts';

/** A search that found nothing. */
export interface Miss {
  query: string;
  miss: SearchPage['miss'];
  /** Whether the nearest memories are printed. */
  isPartial: boolean;
  /** Folder of the mirror, as the user names it. */
  folder: string;
}

/** A mirror whose newest memory was read before this time lacks memories of most accounts. */
const oldMs = 86_400_000;
const mostNames = 5;

/** Returns why a query finds nothing in a mirror, and what to do. */
export async function explainMiss(mirror: Mirror, search: Miss, signal: AbortSignal): Promise<string> {
  const { query, miss, isPartial, folder } = search;
  if (miss === null) return 'The query has no word to find. Pass a word, or speaker: with a label.';
  const listed = await listMirror(mirror, signal);
  if (listed.length === 0) return `The mirror has no memories. Run ${mirrorCommand(folder)} to add memories.`;
  const { words, speakers, outsideRange } = miss;
  const place = outsideRange > 0 ? ' of the range' : '';
  const counts = [
    ...words.map(({ text, memories }) => [JSON.stringify(text), memories] as const),
    ...speakers.map(({ label, memories }) => [`speaker:${JSON.stringify(label)}`, memories] as const),
  ].map(([text, memories], index) =>
    index === 0 ? `${text} is in ${plural(memories)}${place}` : `${text} in ${memories}`,
  );
  const people = await mirror.people.list();
  // A search does not find a name that is only doubtful.
  const certain = people.filter(({ memories }) => memories > 0);
  const lacking = speakers.filter(({ memories }) => memories === 0).map(({ label }) => label);
  const doubtful = people.filter(
    ({ name, doubtful }) => doubtful > 0 && lacking.some((label) => hasWords(name, label)),
  );
  const unknown = words.filter(({ memories }) => memories === 0).map(({ text }) => text);
  const similar = (await similarWords(mirror, unknown, signal)).map((word) => JSON.stringify(word));
  const readAt = Math.max(...listed.map(({ seenAt }) => seenAt.getTime()));
  const advice = [
    outsideRange > 0 && `The range of times leaves out ${plural(outsideRange)}.`,
    similar.length > 0 && `Did you mean ${similar.join(' and ')}?`,
    !isPartial && miss.nearest.length > 0 && 'Pass --partial to see the nearest.',
    ...doubtful.map(({ name, doubtful }) => {
      const command = 'memory-read people list --doubtful';
      return `${JSON.stringify(name)} is doubtful in ${plural(doubtful)}: see ${command}.`;
    }),
    ((lacking.length > 0 && doubtful.length === 0) || /speaker:(?!\S)/i.test(query)) &&
      (/speaker:/i.test(query)
        ? 'A label must be complete and follow speaker: directly, as in speaker:"Speaker 2".'
        : "A label must be complete, as in --speaker 'Speaker 2'."),
    lacking.length > 0 && doubtful.length === 0 && namedPeople(certain),
    speakers.length === 0 && personAmong(certain, words),
    unknown.some((text) => / /.test(text)) && 'Leave out the quotes to find words that do not follow each other.',
    words.some(({ text }) => /(?:^|\s)\S{1,2}\*$/.test(text)) &&
      'The beginning of a word, such as xyz*, needs 3 characters.',
    /(?:^| )-(?=[\p{L}"])/u.test(query) && 'Leave out the words with -, which exclude texts.',
  ].filter(Boolean);
  if (advice.length === 0 && unknown.length > 0) {
    advice.push('Words are not translated: try another one, or its beginning.');
  }
  if (readAt < Date.now() - oldMs) {
    const time = formatDateTime(new Date(readAt).toISOString());
    advice.push(`The newest memory was read on ${time}. Run ${mirrorCommand(folder)} to add newer ones.`);
  }
  return [`No memory has all these words: ${counts.join(', ')}.`, ...advice].join(' ');
}

/** Returns the first names of a mirror as a sentence; undefined without people. */
function namedPeople(people: readonly Person[]): string | undefined {
  const names = people.slice(0, mostNames).map(({ name }) => JSON.stringify(name));
  if (names.length === 0) return undefined;
  return `Named people are ${names.join(', ')}${people.length > names.length ? ' and others' : ''}.`;
}

/** Returns advice if a word of the query is part of a name. */
function personAmong(people: readonly Person[], words: readonly { text: string }[]): string | undefined {
  const [name] = people.flatMap(({ name }) => (words.some(({ text }) => hasWords(name, text)) ? [name] : []));
  return name && `${JSON.stringify(name)} is a person: pass --speaker ${shellQuoted(name)} in place of the word.`;
}

function hasWords(name: string, words: string): boolean {
  const wanted = fold(words);
  return wanted.trim() !== '' && fold(name).includes(wanted);
}

function plural(memories: number): string {
  return quantity(memories, 'memory', 'memories');
}
