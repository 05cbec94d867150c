import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { Position } from '../sources/memory-source.ts';
import type { RangeInput } from '../tools/read-input.ts';
import { ToolError } from './tool-error.ts';

/** Writes and reads the cursors of one question to one tool. */
export interface Cursors {
  write(position: Position): string;
  /** Every position that this question cannot have is an error, like the cursor of another question. */
  read(cursor: string | undefined, isPossible?: (position: Position) => boolean): Position | undefined;
}

/** Returns the cursors of a question. They are stateless. A cursor of another question causes an error. */
export function cursorsOf(tool: string, question: unknown): Cursors {
  const mark = markOf(JSON.stringify([tool, question]));
  return {
    write: (position) => toBase64Url(utf8ToBytes(JSON.stringify([mark, ...position]))),
    read: (cursor, isPossible = () => true) => {
      if (cursor === undefined) return undefined;
      const [found, ...position] = parse(cursor) ?? [];
      if (found === mark && isPossible(position)) return position;
      throw new ToolError(
        `Failed to continue: the cursor belongs to another question, or the memory has changed. Call ${tool} again without a cursor.`,
      );
    },
  };
}

/** A page of a question about a range. */
interface RangePage {
  since: number;
  until: number;
  after: Position | undefined;
  write(next: Position): string;
}

/**
 * Reads the cursor of a question about a range. The cursor keeps the range, because `now` and words such as `today` mean
 * another time on the next page.
 */
export function rangePage(
  tool: string,
  question: unknown,
  { since, until, timeZone, texts, cursor }: RangeInput & { cursor: string | undefined },
): RangePage {
  const cursors = cursorsOf(tool, [question, timeZone, texts]);
  const isLimit = (value: unknown) => value === null || typeof value === 'number';
  const position = cursors.read(cursor, (place) => place.length > 2 && place.slice(0, 2).every(isLimit));
  const [first, end, ...after] = position ?? [since, until].map((limit) => (Number.isFinite(limit) ? limit : null));
  return {
    since: first === null ? Number.NEGATIVE_INFINITY : Number(first),
    until: end === null ? Number.POSITIVE_INFINITY : Number(end),
    after: position && after,
    write: (next) => cursors.write([first ?? null, end ?? null, ...next]),
  };
}

function markOf(text: string): string {
  return toBase64Url(sha256(utf8ToBytes(text)).slice(0, 9));
}

function parse(cursor: string): (string | number | null)[] | undefined {
  try {
    const bytes = Uint8Array.from(atob(cursor.replaceAll('-', '+').replaceAll('_', '/')), (unit) => unit.charCodeAt(0));
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const isPart = (part: unknown) => part === null || typeof part === 'string' || Number.isFinite(part);
    return Array.isArray(value) && value.every(isPart) ? value : undefined;
  } catch {
    return undefined;
  }
}

function toBase64Url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
