import { normalizeDateTime, parseDateTime } from '@memory-read/contract/date-time';
import { isMirrorError, MirrorError } from '../errors/mirror-error.ts';
import { importAction, invalidFile } from './people-errors.ts';
import { type PersonName, readName } from './read-name.ts';
import { textLines } from './text-lines.ts';

/** First line of a file of people. */
export const header = { format: 'memory-read people', version: 1 };

/** A line with a decision. Its fields are those of the file, in their order. */
export interface DecisionLine {
  memory: string;
  /** Label of the speaker when the decision was made. */
  speaker: string;
  /** Null for a removal. */
  person: string | null;
  /** Digest of what the speaker said. */
  said: string;
  at: string;
}

/** A decision that was read from a file. */
export interface FileDecision {
  /** Number of the line, from 1. */
  line: number;
  memoryId: string;
  label: string;
  /** Null for a removal. */
  person: PersonName | null;
  /** Digest of what the speaker said. By hand it can be left out. */
  said: string | undefined;
  /** Time of the decision, in milliseconds since 1970. By hand it can be left out. */
  at: number | undefined;
}

/** A file of people. */
export interface PeopleFile {
  /** You. Of several lines, the first one counts. */
  me: PersonName | undefined;
  decisions: FileDecision[];
}

/**
 * Reads a file of people.
 *
 * @throws {@link MirrorError} with the code `invalid_file` or `newer_version`.
 */
export async function readPeopleFile(text: string | AsyncIterable<string>): Promise<PeopleFile> {
  const file: PeopleFile = { me: undefined, decisions: [] };
  let line = 0;
  let hasHeader = false;
  for await (const written of textLines(text)) {
    line += 1;
    if (/^[ \t\r]*$/.test(written)) continue;
    const fields = readFields(written, line);
    if (!hasHeader) hasHeader = assertHeader(fields, line);
    else if (Object.hasOwn(fields, 'me')) {
      // A merge of the files of two people has both lines.
      const me = readMe(fields, line);
      file.me ??= me;
    } else file.decisions.push(readDecision(fields, line));
  }
  if (!hasHeader) throw invalidFile('the file is empty', 'Pass a file of memory-read people export');
  return file;
}

type Fields = Readonly<Record<string, unknown>>;

function readFields(written: string, line: number): Fields {
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch {
    // The message of the parser would quote the line.
    throw invalidFile(`line ${line} is not JSON`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw invalidFile(`line ${line} is not a JSON object`);
}

function assertHeader(fields: Fields, line: number): true {
  const { format, version } = fields;
  if (format !== header.format || !Number.isInteger(version) || Number(version) < 1) {
    const reason = `line ${line} is not the first line of a file of names`;
    throw invalidFile(reason, 'Pass a file of memory-read people export');
  }
  if (version === header.version) {
    assertFields(fields, ['format', 'version'], line);
    return true;
  }
  const reason = `the file has version ${version}, but this software supports only ${header.version}`;
  throw new MirrorError(
    'newer_version',
    `Failed to ${importAction}: ${reason}. Update the software. Nothing was imported.`,
  );
}

function readMe(fields: Fields, line: number): PersonName {
  assertFields(fields, ['me'], line);
  return readPerson(fields.me, line);
}

function readDecision(fields: Fields, line: number): FileDecision {
  assertFields(fields, ['memory', 'speaker', 'person', 'said', 'at'], line);
  const { memory, speaker, person, said, at } = fields;
  // SQLite would store another id in the place of one with a lone surrogate. No memory can have one.
  if (typeof memory !== 'string' || memory === '' || !memory.isWellFormed()) throw invalid('memory', line);
  if (typeof speaker !== 'string') throw invalid('speaker', line);
  if (said !== undefined && !(typeof said === 'string' && /^sha256-[\w-]{43}$/.test(said))) throw invalid('said', line);
  if (at !== undefined && said === undefined) throw invalidFile(`line ${line} has at, but not said`);
  return {
    ...{ line, memoryId: memory, label: speaker, said },
    person: person === null ? null : readPerson(person, line),
    at: at === undefined ? undefined : readTime(at, line),
  };
}

/** The last years are not valid, so that a later decision has a time that can be written. */
function readTime(at: unknown, line: number): number {
  const isValid = typeof at === 'string' && (normalizeDateTime(at) ?? '9') < '9';
  if (!isValid) throw invalid('at', line);
  return Number(parseDateTime(at));
}

function readPerson(person: unknown, line: number): PersonName {
  if (typeof person !== 'string') throw invalid('name', line);
  try {
    return readName(importAction, person);
  } catch (error) {
    throw isMirrorError(error) ? invalid('name', line) : error;
  }
}

function assertFields(fields: Fields, known: readonly string[], line: number): void {
  if (Object.keys(fields).some((name) => !known.includes(name))) {
    throw invalidFile(`line ${line} has a field that is not supported`);
  }
}

function invalid(what: string, line: number): MirrorError {
  return invalidFile(`line ${line} has no valid ${what}`);
}
