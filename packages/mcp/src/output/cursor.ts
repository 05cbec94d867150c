import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { ToolError } from './tool-error.ts';

type Place = readonly (string | number | null)[];

/** Writes and reads the cursors of one question to one tool. */
export interface Cursors {
  write(place: Place): string;
  /** Every place that this question cannot have is an error, like the cursor of another question. */
  read(cursor: string | undefined, isPossible?: (place: Place) => boolean): Place | undefined;
}

/** Returns the cursors of a question. They are stateless. A cursor of another question causes an error. */
export function cursorsOf(tool: string, question: unknown): Cursors {
  const mark = markOf(JSON.stringify([tool, question]));
  return {
    write: (place) => toBase64Url(utf8ToBytes(JSON.stringify([mark, ...place]))),
    read: (cursor, isPossible = () => true) => {
      if (cursor === undefined) return undefined;
      const [found, ...place] = parse(cursor) ?? [];
      if (found === mark && isPossible(place)) return place;
      throw new ToolError(
        `Failed to continue: the cursor belongs to another question, or the memory has changed. Call ${tool} again without a cursor.`,
      );
    },
  };
}

function markOf(text: string): string {
  return toBase64Url(sha256(utf8ToBytes(text)).slice(0, 9));
}

function parse(cursor: string): (string | number | null)[] | undefined {
  try {
    const bytes = Uint8Array.from(atob(cursor.replaceAll('-', '+').replaceAll('_', '/')), (unit) => unit.charCodeAt(0));
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const isPlace = (part: unknown) => part === null || typeof part === 'string' || Number.isFinite(part);
    return Array.isArray(value) && value.every(isPlace) ? value : undefined;
  } catch {
    return undefined;
  }
}

function toBase64Url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
