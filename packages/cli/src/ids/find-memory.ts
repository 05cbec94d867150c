import type { Memory } from '@memory-read/client';
import { CommandError, exitCodes, usageError } from '../terminal/command-error.ts';
import { note } from '../terminal/note.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { quantity } from '../terminal/quantity.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { type Candidate, canChoose, chooseMemory } from './choose-memory.ts';

/** Description of the argument of commands that take a memory. */
export const memoryArgument = 'id of the memory, latest, or words in it; on a terminal, also the beginning of its id';

/** Name of the newest memory that is processed. */
export const latest = 'latest';

const shortestPrefix = 4;
const namedIds = 5;

/** Streams for the search of a memory. */
export interface FindOptions extends OutputOptions {
  signal: AbortSignal;
  /** Whether `latest` is the newest memory even if it is still processing. Default: false. */
  takesProcessing?: boolean | undefined;
  /** Whether the text is an id or the beginning of one, and never words. Default: false. */
  isId?: boolean | undefined;
}

/** Where memories are looked up. */
export interface MemorySource {
  /** What fails without the memory, such as `get memory`. */
  action: string;
  /** Says that no memory has an id or words, and what to do. */
  unknown(text: string): string;
  /** Returns all memories, newest first, except that those missing on the server are the last ones. */
  list(signal: AbortSignal): Promise<readonly Memory[]>;
  /** Returns the memories with all the words, the best first, and what was not searched. */
  search(
    words: string,
    listed: readonly Memory[],
    signal: AbortSignal,
  ): Promise<{ found: readonly Candidate[]; left?: string | undefined }>;
}

/**
 * Returns the given text with one space for each whitespace in it, and none around it.
 *
 * @throws CommandError if nothing is left.
 */
export function readMemoryText(given: string): string {
  const text = given.trim().replace(/\s+/g, ' ');
  if (text !== '') return text;
  throw usageError('the memory: the text is empty. Pass an id, latest, or words.');
}

/** Returns whether a text is words rather than an id: it has a space, or letters only. */
export function isWords(text: string): boolean {
  return /\S\s+\S/.test(text) || /^[\p{L}\p{M}]+$/u.test(text);
}

/**
 * Returns the id of the newest memory that is processed, and says if newer ones are still processing.
 *
 * The memory is named on standard error.
 *
 * @throws CommandError if no memory is processed.
 */
export async function findLatest(source: MemorySource, options: FindOptions): Promise<string> {
  const listed = await source.list(options.signal);
  const index = listed.findIndex(({ is_processing }) => options.takesProcessing || !is_processing);
  const found = listed[index];
  if (found === undefined) {
    const problem =
      listed.length === 0
        ? 'there are no memories. Check the account with memory-read whoami.'
        : 'no memory is processed yet. Run memory-read wait latest, which waits for the newest.';
    throw new CommandError(exitCodes.notFound, `Failed to ${source.action} "${latest}": ${problem}`);
  }
  if (index > 0) {
    const newer = quantity(index, 'newer memory is', 'newer memories are');
    note(`${newer} still processing. This is the newest that is processed.`, options);
  }
  return use(found, options);
}

/**
 * Returns the id of the memory that a text other than an id stands for: the only id that begins with it, or the only
 * memory with its words. Of several, the user of a terminal chooses one.
 *
 * The memory is named on standard error. If that is not a terminal, the beginning of an id is refused: a script would
 * not notice that it means another memory later.
 *
 * @returns undefined if the text is not words and not the beginning of an id.
 * @throws CommandError if several memories fit, if no memory has the words, or if the completed id would not be seen.
 */
export async function findMemory(
  source: MemorySource,
  text: string,
  options: FindOptions,
): Promise<string | undefined> {
  const listed = await source.list(options.signal);
  const begun = Array.from(text).length < shortestPrefix ? [] : listed.filter(({ id }) => id.startsWith(text));
  const failed = `Failed to ${source.action} ${JSON.stringify(text)}`;
  if (begun.length > 0) return completeId(begun, { failed, ...options });
  if (options.isId || !isWords(text)) return undefined;
  const { found, left } = await source.search(text, listed, options.signal);
  const [only, other] = found;
  if (only === undefined) {
    throw new CommandError(exitCodes.notFound, [`${failed}: ${source.unknown(text)}`, left].filter(Boolean).join(' '));
  }
  const title = `${found.length} memories have these words`;
  if (other !== undefined && !canChoose(options)) {
    const named = found.slice(0, namedIds).map(({ id, name }) => `${id} (${JSON.stringify(name)})`);
    throw severalError(`${failed}: ${title}`, { named, total: found.length }, 'Pass one of the ids, or more words.');
  }
  const chosen = other === undefined ? only : await chooseMemory(title, found, options);
  return use(chosen, options);
}

function use({ id, name }: Pick<Memory, 'id' | 'name'>, options: FindOptions): string {
  note(`Using ${id}: ${visibleLine(name)}.`, options);
  return id;
}

async function completeId(
  begun: readonly Memory[],
  { failed, ...options }: FindOptions & { failed: string },
): Promise<string> {
  const [only, other] = begun;
  const isSeen = options.process.stderr.isTTY === true && options.quiet !== true;
  if (other !== undefined && (options.isId || !canChoose(options))) {
    const named = begun
      .map(({ id }) => id)
      .sort()
      .slice(0, namedIds);
    throw severalError(
      `${failed}: ${begun.length} ids begin with it`,
      { named, total: begun.length },
      'Pass more of the id.',
    );
  }
  if (!isSeen) {
    throw new CommandError(
      exitCodes.notFound,
      `${failed}: there is no memory with this id. Pass the whole id, ${only?.id}.`,
    );
  }
  const candidates = begun.map(({ id, name, started_at }) => ({ id, name, startedAt: started_at, place: id }));
  const title = `${begun.length} ids begin with it`;
  const { id } = other === undefined ? (only as Memory) : await chooseMemory(title, candidates, options);
  note(`Using ${id}.`, options);
  return id;
}

function severalError(
  problem: string,
  { named, total }: { named: readonly string[]; total: number },
  advice: string,
): CommandError {
  const some = `${total > named.length ? 'such as ' : ''}${named.join(', ')}`;
  return new CommandError(exitCodes.notFound, `${problem}, ${some}. ${advice}`);
}
