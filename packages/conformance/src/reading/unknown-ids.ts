/**
 * Ids that are formed like the given one but are none of the known ones, so that a server finds nothing wrong with them
 * but that there is no such memory. The more of the id changes, the further in front: a neighbour may be someone's.
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

/** The id with its end turned on by one, by two, and so on. */
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
