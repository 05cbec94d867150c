import { replaceControls } from '@memory-read/contract/redaction';
import type { IndexDetail } from '../index-data.ts';
import { element } from './elements.ts';
import { clock, speakerName } from './shown-texts.ts';

const LINES_OF_PART = 100;
/** Browsers find text on a page only in parts that are filled. With 100,000 lines, these take 10 seconds. */
const PARTS_AT_ONCE = 20;

/**
 * Adds the transcript in the order of time. A line starts the player at its segment, and the player marks the line that
 * it plays. Returns a function that goes to a position, at the line of a segment that starts there.
 */
export function addTranscript(
  article: HTMLElement,
  { segments, speakers, names }: IndexDetail,
  player: HTMLMediaElement | undefined,
): (at: number, segment: number) => void {
  if (segments.length === 0) return () => {};
  const cues = segments
    .map(([start, speaker, text], segment) => ({ start, speaker, text, segment }))
    .sort((one, other) => one.start - other.start);
  const transcript = element('div', { class: 'transcript' });
  const parts = new Map<Element, number>();
  const lines = new Map<number, HTMLElement>();
  const startOf = new Map<Element | null, number>();

  // Several labels can be one person.
  const nameOf = new Map(names);
  const voices = speakers.map((label) => nameOf.get(label) ?? label);
  const fill = (part: Element) => {
    const first = parts.get(part) ?? 0;
    if (lines.has(first)) return;
    for (const [place, { start, speaker, text }] of cues.slice(first, first + LINES_OF_PART).entries()) {
      const voice = voices[speaker] ?? '';
      if (voices[cues[first + place - 1]?.speaker ?? -1] !== voice) {
        const label = speakers[speaker] ?? '';
        part.append(speakerName('h3', { class: `voice-${voices.indexOf(voice) % 6}` }, label, nameOf.get(label)));
      }
      const line = element(
        player === undefined ? 'p' : 'button',
        { class: 'line' },
        element('span', { class: 'time' }, clock(start)),
        element('span', { dir: 'auto' }, replaceControls(text)),
      );
      startOf.set(line, start);
      lines.set(first + place, line);
      part.append(line);
    }
  };
  const observer = new IntersectionObserver(
    (seen) => {
      for (const { isIntersecting, target } of seen) if (isIntersecting) fill(target);
    },
    { rootMargin: '1500px' },
  );
  for (let first = 0; first < cues.length; first += LINES_OF_PART) {
    const part = element('div', { class: 'part' });
    parts.set(part, first);
    transcript.append(part);
    if (parts.size <= PARTS_AT_ONCE) fill(part);
    else observer.observe(part);
  }
  article.append(element('h2', {}, 'Transcript'), transcript);

  const indexAt = (position: number) => cues.findLastIndex(({ start }) => start <= position);
  const lineOf = (index: number) => {
    const part = transcript.children[Math.floor(index / LINES_OF_PART)];
    if (part !== undefined) fill(part);
    return lines.get(index);
  };
  let current: HTMLElement | undefined;
  player?.addEventListener('timeupdate', () => {
    const line = lineOf(indexAt(player.currentTime * 1000 + 20));
    if (line === current) return;
    current?.removeAttribute('aria-current');
    line?.setAttribute('aria-current', 'true');
    current = line;
  });
  transcript.addEventListener('click', ({ target }) => {
    const start = startOf.get((target as Element).closest('.line'));
    if (player === undefined || start === undefined || getSelection()?.isCollapsed === false) return;
    player.currentTime = start / 1000;
    void player.play();
  });
  return (at, segment) => {
    // Several segments can have one start.
    const same = cues.findIndex((cue) => cue.start === at && cue.segment === segment);
    const found = lineOf(same === -1 ? indexAt(at) : same);
    if (found === undefined) return;
    found.classList.add('found');
    found.scrollIntoView({ block: 'center' });
    if (player !== undefined) player.currentTime = at / 1000;
  };
}
