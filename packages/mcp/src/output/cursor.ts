import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { Position } from '../sources/memory-source.ts';
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
