const shortest = 8;

/**
 * Returns the shortest prefix of each id that no other id begins with, of at least 8 characters. It can be the whole
 * id.
 */
export function uniquePrefixes(ids: readonly string[]): Map<string, string> {
  const sorted = [...new Set(ids)].sort();
  const prefixes = new Map<string, string>();
  let before = 0;
  for (const [index, id] of sorted.entries()) {
    const after = sharedLength(id, sorted[index + 1] ?? '');
    prefixes.set(id, beginningOf(id, Math.max(shortest, before + 1, after + 1)));
    before = after;
  }
  return prefixes;
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** A character of two code units must not be cut. */
function beginningOf(id: string, length: number): string {
  return /[\ud800-\udbff]/.test(id[length - 1] ?? '') ? id.slice(0, length + 1) : id.slice(0, length);
}
