import { safeJson } from '../terminal/json-line.ts';

/** Returns a value as indented JSON, with the same escapes as JSON Lines. */
export function jsonDocument(value: unknown): string {
  return `${safeJson(value, (each) => JSON.stringify(each, null, 2))}\n`;
}
