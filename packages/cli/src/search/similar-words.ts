import { fold } from '@memory-read/client/search';
import type { Mirror } from '@memory-read/mirror';

/** The words of the newest memories suffice, and reading more takes long. */
const mostMemories = 1_000;

/** Returns the most similar word of the memories for each word that none of them has. Words without one are left out. */
export async function similarWords(mirror: Mirror, words: readonly string[], signal: AbortSignal): Promise<string[]> {
  const wanted = words.filter((word) => /^[\p{L}\p{M}]{4,}$/u.test(word)).map((word) => fold(word).trim());
  if (wanted.length === 0) return [];
  const counts = await countWords(mirror, signal);
  return wanted.flatMap((word) => {
    const most = word.length < 6 ? 1 : 2;
    const [nearest] = [...counts]
      .map(([folded, { text, count }]) => ({ text, count, distance: distanceOf(word, folded, most) }))
      .filter(({ distance }) => distance <= most)
      .sort((one, other) => one.distance - other.distance || other.count - one.count);
    return nearest === undefined || nearest.distance === 0 ? [] : [nearest.text];
  });
}

async function countWords(mirror: Mirror, signal: AbortSignal): Promise<Map<string, { text: string; count: number }>> {
  const counts = new Map<string, { text: string; count: number }>();
  let memories = 0;
  for await (const { name, summary, transcript } of mirror.exportRecords()) {
    signal.throwIfAborted();
    const texts = [name, summary?.quick_summary ?? '', ...(summary?.key_takeaways ?? [])];
    for (const { text } of transcript?.segments ?? []) texts.push(text);
    for (const text of texts.join(' ').match(/[\p{L}\p{M}]{3,}/gu) ?? []) {
      const folded = fold(text).trim();
      counts.set(folded, { text, count: (counts.get(folded)?.count ?? 0) + 1 });
    }
    memories += 1;
    if (memories === mostMemories) break;
  }
  return counts;
}

/** Returns how many letters differ, are missing or are swapped with the next one; more than `most` if it is more. */
function distanceOf(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      line.push(
        Math.min(
          at(rows, row - 1, column) + 1,
          (line[column - 1] ?? 0) + 1,
          at(rows, row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped && row > 1 && column > 1 ? at(rows, row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(line);
  }
  return at(rows, one.length, other.length);
}

function at(rows: readonly (readonly number[])[], row: number, column: number): number {
  return rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
}
