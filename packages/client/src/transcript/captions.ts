import { columnsOf } from './columns.ts';
import { type Cue, normalizeTranscript } from './normalize-transcript.ts';
import type { SubtitleOptions } from './transcript-options.ts';
import type { TranscriptSource } from './transcript-source.ts';
import { visibleLines, visibleText } from './visible-lines.ts';
import { type Word, wordsOf } from './words-of.ts';

/** Part of a segment that is shown at once. */
export interface Caption {
  start: number;
  end: number;
  speaker: string;
  /** Visible text. The first line is empty if the label leaves no room for the text. */
  lines: string[];
}

/** Returns what is written on the first line before a text. */
type LabelOf = (speaker: string, text: string) => string;

// Subtitles for cinema and television have 37 to 42 columns, two lines, and 1 to 7 seconds.
const LINE = 42;
const LINES = 2;
const LONGEST = 7_000;
const SHORTEST = 1_000;
/** Milliseconds that a part is shown in any case, even if it covers the next cue. Less is not seen. */
const VISIBLE = 100;

/** Returns the captions of a transcript, sorted by start. */
export function captionsOf(memory: TranscriptSource, { cues }: SubtitleOptions, labelOf: LabelOf): Caption[] {
  const stored = normalizeTranscript(memory).cues;
  if (cues === 'stored') {
    return stored.map(({ start, end, speaker, text }) => ({ start, end, speaker, lines: visibleLines(text) }));
  }
  const starts = [...new Set(stored.map(({ start }) => start))];
  let place = 0;
  return stored
    .flatMap((cue) => {
      while ((starts[place] as number) < cue.start) place += 1;
      return split(cue, labelOf, (least) => {
        let next = place;
        while ((starts[next] ?? Number.POSITIVE_INFINITY) < least) next += 1;
        return starts[next] ?? Number.POSITIVE_INFINITY;
      });
    })
    .sort((a, b) => a.start - b.start);
}

/** Returns the captions of one cue. `nextFrom` returns the first start of a cue that is not before a time. */
function split(cue: Cue, labelOf: LabelOf, nextFrom: (time: number) => number): Caption[] {
  const { start, end, speaker, text } = cue;
  const labelled = (shown: string) => columnsOf(labelOf(speaker, shown));
  const parts = partsOf(text, end - start, labelled);
  const last = Math.max(end, Math.min(nextFrom(start + VISIBLE * parts.length), start + SHORTEST * parts.length));
  const times = timesOf(
    parts.map(({ share }) => share),
    start,
    last,
  );
  return parts.map(({ lines }, index) => {
    return { start: times[index] as number, end: times[index + 1] ?? last, speaker, lines };
  });
}

interface Part {
  lines: string[];
  /** Share of the text before the part. */
  share: number;
}

function partsOf(text: string, duration: number, labelled: (shown: string) => number): Part[] {
  const stored = visibleLines(text);
  const whole = [{ lines: stored, share: 0 }];
  const label = labelled(stored.join('\n'));
  const fits = stored.length <= LINES && stored.every((line, index) => columnsOf(line) + (index ? 0 : label) <= LINE);
  if (stored.length === 0 || (fits && duration <= LONGEST)) return whole;
  const words = wordsOf(visibleText(text), Math.max(LINE - label, LINE / 2), LINE);
  const columns = words.at(-1)?.to as number;
  const parts: Part[] = [];

  function add(from: number, to: number): void {
    const first = words[from] as Word;
    const width = (words[to - 1] as Word).to - first.from;
    // The white space after a part belongs to its time.
    const time = (duration * ((words[to]?.from ?? columns) - first.from)) / columns;
    const lines = layOut(words.slice(from, to), labelled);
    if (to - from === 1 || (lines && time <= LONGEST)) {
      parts.push({ lines: lines as string[], share: first.from / columns });
      return;
    }
    const count = Math.max(2, Math.ceil(width / Math.max(LINE, LINES * LINE - label)), Math.ceil(time / LONGEST));
    const cut = cutBetween(words, from, to, first.from + (width * Math.floor(count / 2)) / count);
    add(from, cut);
    add(cut, to);
  }

  add(0, words.length);
  return parts;
}

/** Returns the index of the word to split before: the start of a sentence if there is one, near the given column. */
function cutBetween(words: readonly Word[], from: number, to: number, column: number): number {
  let best = from + 1;
  for (let index = from + 2; index < to; index += 1) {
    const [word, other] = [words[index] as Word, words[best] as Word];
    const isNearer = Math.abs(word.from - column) < Math.abs(other.from - column);
    if (word.startsSentence === other.startsSentence ? isNearer : word.startsSentence) best = index;
  }
  return best;
}

/** Returns one line or two lines of similar length; undefined if the words need more. */
function layOut(words: readonly Word[], labelled: (shown: string) => number): string[] | undefined {
  const first = words[0] as Word;
  const end = (words.at(-1) as Word).to;
  if (words.length > 1 && end - first.from > LINES * LINE) return undefined;
  const textOf = (from: number, to?: number) =>
    words
      .slice(from, to)
      .map(({ gap, text }, index) => (index === 0 ? text : gap + text))
      .join('');
  const label = labelled(textOf(0));
  if (label + end - first.from <= LINE) return [textOf(0)];
  let best: string[] | undefined;
  let least = LINE + 1;
  for (const [index, word] of words.entries()) {
    // A label that needs more than its line cannot be split, and leaves no other way.
    const top = index === 0 ? Math.min(label, LINE) : label + (words[index - 1] as Word).to - first.from;
    const widest = Math.max(top, end - word.from);
    if (widest >= least || (index === 0 && label === 0)) continue;
    least = widest;
    best = [index === 0 ? '' : textOf(0, index), textOf(index)];
  }
  return best;
}

/** Returns the starts of the parts: by their share of the text, but each part has a least length where there is time. */
function timesOf(shares: readonly number[], start: number, end: number): number[] {
  const least = Math.min(SHORTEST, Math.floor((end - start) / shares.length));
  const times = shares.map((share) => start + Math.round((end - start) * share));
  for (let index = 1; index < times.length; index += 1) {
    times[index] = Math.max(times[index] as number, (times[index - 1] as number) + least);
  }
  for (let [index, next] = [times.length - 1, end]; index > 0; index -= 1) {
    next = Math.min(times[index] as number, next - least);
    times[index] = next;
  }
  return times;
}
