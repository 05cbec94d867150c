import type { MemoryHit } from '@memory-read/client/search';
import type { ReactNode } from 'react';

const LONGEST_BEGINNING = 40;

/** The words that were found, with some of the text around them. */
export function Highlighted({ text, highlights }: MemoryHit['snippet']) {
  const [[first = 0] = []] = highlights;
  const from = first <= LONGEST_BEGINNING ? 0 : text.indexOf(' ', first - LONGEST_BEGINNING) + 1;
  const parts: ReactNode[] = [from > 0 && '… '];
  let after = from;
  for (const [start, end] of highlights) {
    parts.push(text.slice(after, start), <mark key={start}>{text.slice(start, end)}</mark>);
    after = end;
  }
  return (
    <span className="snippet" dir="auto">
      {parts}
      {text.slice(after)}
    </span>
  );
}
