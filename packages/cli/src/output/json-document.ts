import { safeJson } from '../terminal/json-line.ts';

/** Returns a value as indented JSON, which is as safe on a terminal as a line of JSON Lines. */
export function jsonDocument(value: unknown): string {
  return `${safeJson(value, (each) => JSON.stringify(each, null, 2))}\n`;
}
