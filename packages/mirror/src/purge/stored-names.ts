import { parseStored } from '../history/stored-version.ts';

/** Returns the paths of stored JSON. What is damaged cannot be named. */
export function storedNames(text: unknown): string[] {
  const names = parseStored(text);
  if (!Array.isArray(names)) return [];
  return names.filter((name): name is string => typeof name === 'string' && !name.includes('\0'));
}
