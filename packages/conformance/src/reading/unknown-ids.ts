/**
 * Returns unknown ids of the same form as the example, so that only the memory is missing. Ids with more changed
 * characters come first, because an adjacent id may belong to another account.
 */
export function unknownIds(example: string, known: ReadonlySet<string>): string[] {
  const tail = Math.max(0, example.length - 12);
  const starts = [tail, example.length - 1].filter((start) => start >= 0);
  const ids = starts.flatMap((start) =>
    variationsOf(example, start)
      .filter((id) => id !== example && !known.has(id))
      .slice(0, 2),
  );
  return [...new Set([...ids, `${example}0`])];
}

/** Returns ids whose last characters are rotated by one, by two, and so on. */
function variationsOf(example: string, start: number): string[] {
  const rotate = /\d/.test(example.slice(start)) ? rotateDigits : rotateLetters;
  let end = example.slice(start);
  return Array.from({ length: 9 }, () => {
    end = rotate(end);
    return example.slice(0, start) + end;
  });
}

function rotateDigits(text: string): string {
  return text.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10));
}

/** Hexadecimal letters stay hexadecimal. */
function rotateLetters(text: string): string {
  const circles = ['abcdef', 'ABCDEF', 'ghijklmnopqrstuvwxyz', 'GHIJKLMNOPQRSTUVWXYZ'];
  return text.replace(/[a-z]/gi, (letter) => {
    const circle = circles.find((letters) => letters.includes(letter)) ?? letter;
    return circle[(circle.indexOf(letter) + 1) % circle.length] ?? letter;
  });
}
