import { replaceControls } from '@memory-read/contract/redaction';
import type { IndexDetail } from '../index-data.ts';
import { element } from './elements.ts';
import { clock } from './shown-texts.ts';

/** Browsers lay out the parts that are seen. With a layout for each line, long transcripts need minutes. */
const LINES_OF_PART = 100;

/**
 * Adds the transcript in the order of time. A line starts the player at its segment, and the player marks the line that
 * it plays. Returns a function that goes to a position.
 */
export function addTranscript(
  article: HTMLElement,
  { segments, speakers }: IndexDetail,
  player: HTMLMediaElement | undefined,
): (at: number | undefined) => void {
  if (segments.length === 0) return () => {};
  const transcript = element('div', { class: 'transcript' });
  const lines: [start: number, line: HTMLElement][] = [];
  const startOf = new Map<Element | null, number>();
  let speaker = -1;
  let part = transcript;
  for (const [start, of, text] of [...segments].sort(([one], [other]) => one - other)) {
    if (lines.length % LINES_OF_PART === 0) {
      part = element('div', { class: 'part' });
      transcript.append(part);
    }
    if (of !== speaker) {
      speaker = of;
      const label = replaceControls(speakers[of] ?? '').trim() || 'Unknown speaker';
      part.append(element('h3', { class: `voice-${of % 6}`, dir: 'auto' }, label));
    }
    const line = element(
      player === undefined ? 'p' : 'button',
      { class: 'line' },
      element('span', { class: 'time' }, clock(start)),
      element('span', { dir: 'auto' }, replaceControls(text)),
    );
    startOf.set(line, start);
    lines.push([start, line]);
    part.append(line);
  }
  article.append(element('h2', {}, 'Transcript'), transcript);
  const lineAt = (position: number) => lines.findLast(([start]) => start <= position);

  let current: HTMLElement | undefined;
  player?.addEventListener('timeupdate', () => {
    const line = lineAt(player.currentTime * 1000 + 20)?.[1];
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
  return (at) => {
    const found = at === undefined ? undefined : lineAt(at);
    if (found === undefined || at === undefined) return;
    found[1].classList.add('found');
    found[1].scrollIntoView({ block: 'center' });
    if (player !== undefined) player.currentTime = at / 1000;
  };
}
