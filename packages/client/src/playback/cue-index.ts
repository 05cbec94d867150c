import { refuseOption } from '../configuration/refuse-option.ts';
import { listen } from './listen.ts';

/** Part of a recording, in milliseconds from its start: a cue of `normalizeTranscript`. */
export interface TimedCue {
  readonly start: number;
  readonly end: number;
}

/** Options of {@link createCueIndex}. */
export interface CueIndexOptions {
  /**
   * Milliseconds before its start at which a cue counts as current. After a seek, players can stop at the frame before.
   * Default: 20.
   */
  readonly tolerance?: number | undefined;
}

/** Cues of a recording by time. All times are in seconds, like those of a media element. */
export interface CueIndex {
  /** Cues in order of their start. */
  readonly cues: readonly TimedCue[];
  /** Returns the index of the cue that started last; -1 before the first cue. */
  lastAt(seconds: number): number;
  /** Returns the indexes of all cues that are spoken at this time. */
  activeAt(seconds: number): number[];
  /** Returns the start of a cue, for a seek; 0 if no cue has this index. */
  secondsOf(index: number): number;
}

/**
 * Returns an index of the cues of a transcript, for a player that shows the spoken line.
 *
 * @throws a {@link ConfigurationError} if the cues are not in order of their start.
 *
 * @example
 * ```ts
 * const index = createCueIndex(normalizeTranscript(memory).cues);
 * ```
 */
export function createCueIndex(cues: readonly TimedCue[], options: CueIndexOptions = {}): CueIndex {
  const { tolerance = 20 } = options;
  const refuse = refuseOption.bind(undefined, 'index the cues');
  if (!(tolerance >= 0)) throw refuse('tolerance is not a number of at least 0', 'Pass milliseconds.', 'tolerance');
  // The latest end so far shows where a search for overlapping cues may stop.
  const ends: number[] = [];
  for (const [index, { start, end }] of cues.entries()) {
    if (!(start >= (cues[index - 1]?.start ?? start)))
      throw refuse('the cues are not in order of their start', 'Pass the cues of normalizeTranscript.');
    ends.push(Math.max(end, ends.at(-1) ?? end));
  }

  function lastAt(seconds: number): number {
    const time = seconds * 1000 + tolerance;
    let low = 0;
    let high = cues.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cues[middle] as TimedCue).start <= time) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  return {
    cues,
    lastAt,
    activeAt(seconds) {
      const time = seconds * 1000 + tolerance;
      const active: number[] = [];
      for (let index = lastAt(seconds); index >= 0 && (ends[index] as number) > time; index -= 1) {
        if ((cues[index] as TimedCue).end > time) active.unshift(index);
      }
      return active;
    },
    secondsOf: (index) => (cues[index]?.start ?? 0) / 1000,
  };
}

/**
 * Calls `onChange` with the index of each cue that begins, in order, -1 before the first cue.
 *
 * While the element plays, it is called once a frame, and in a hidden page at each `timeupdate`. After a seek, it is called
 * with the current cue only. While the element loads a new URL, the current cue stays the same. Returns a function that
 * stops the calls.
 *
 * @example
 * ```ts
 * const unfollow = followCues(video, index, (current) => highlight(current));
 * ```
 */
export function followCues(
  element: HTMLMediaElement,
  index: CueIndex,
  onChange: (current: number) => void,
): () => void {
  let current = -1;
  let frame: number | undefined;
  const following = new AbortController();
  const { signal } = following;

  function follow(isJump: boolean): void {
    // Until a new URL has data, the position is 0.
    if (element.readyState === 0) return;
    const now = index.lastAt(element.currentTime);
    if (isJump ? now !== current : now < current) current = now - 1;
    while (current < now && (isJump || !element.seeking) && !signal.aborted) {
      current += 1;
      onChange(current);
    }
  }

  const jump = () => follow(true);
  const playOn = () => follow(false);
  function eachFrame(): void {
    frame = element.paused ? undefined : globalThis.requestAnimationFrame?.(eachFrame);
    // Before a new URL has a frame, some browsers have not taken the position.
    if (element.readyState >= HAVE_CURRENT_DATA) playOn();
  }

  const play = () => frame ?? eachFrame();
  listen(element, { seeking: jump, loadeddata: jump, timeupdate: playOn, play }, signal);
  jump();
  eachFrame();
  return () => {
    following.abort();
    if (frame !== undefined) cancelAnimationFrame(frame);
  };
}

const HAVE_CURRENT_DATA = 2;
