import { MediaUnavailableError, type Memory, mediaExpiresAt } from '@memory-read/client';
import { type KeptPlayback, keepPlaying } from '@memory-read/client/playback';
import { useEffect, useRef, useState } from 'react';
import { leaveMoment } from '../route.ts';
import { stored } from '../stored.ts';
import { useViewer } from '../viewer-context.ts';

/** What the player can play. */
export type PlayableKind = 'video' | 'audio';

/** What there is to see of a playback, and what can be done with it. */
export interface Playback {
  /** Null where there is nothing to play. */
  kind: PlayableKind | null;
  seconds: number;
  /** Seconds. */
  length: number;
  isPlaying: boolean;
  /** Null while there is none. */
  error: unknown;
  element: HTMLVideoElement | null;
  attach(element: HTMLVideoElement | null): void;
  /** Plays from a moment on. */
  jump(seconds: number): void;
  /** Goes to a moment, and plays if it played. */
  move(seconds: number): void;
  toggle(): void;
  /** Plays the picture or the sound alone, from the same moment on. */
  choose(kind: PlayableKind): void;
  retry(): void;
}

/** The kinds that a memory has; the first is played unless the other is chosen. */
export function playableKinds(memory: Memory): PlayableKind[] {
  return (['video', 'audio'] as const).filter((kind) => memory[`${kind}_url`] !== null);
}

/** The playback of one memory: plays from a moment in milliseconds, or is paused where it was left. */
export function usePlayback(memory: Memory, at: number | null): Playback {
  const { client } = useViewer();
  const [element, attach] = useState<HTMLVideoElement | null>(null);
  const [chosen, choose] = useState<PlayableKind | null>(null);
  const [shown, setShown] = useState({ seconds: 0, length: memory.duration_seconds, isPlaying: false, error: null });
  const kept = useRef<KeptPlayback>(null);
  const isPlaced = useRef(false);
  const place = `place of ${memory.id}`;
  // What plays already plays on, whatever the memory gets later.
  const [first = null] = playableKinds(memory);
  if (chosen === null && first !== null) choose(first);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a memory that is read again restarts nothing.
  useEffect(() => {
    if (element === null || chosen === null) return;
    const listening = new AbortController();
    const show = () => {
      const { isWanted = false, error, status } = kept.current ?? {};
      const isReady = element.readyState > 0;
      setShown((before) => ({
        seconds: isReady ? element.currentTime : before.seconds,
        length: isReady && Number.isFinite(element.duration) ? element.duration : before.length,
        isPlaying: isWanted && status !== 'failed',
        error: (status === 'unavailable' ? unavailable(memory.id, chosen) : (error ?? null)) as null,
      }));
    };
    const url = memory[`${chosen}_url`];
    const expiresAt = mediaExpiresAt(memory);
    const isUsable = url !== null && Number(expiresAt) - Date.now() > MARGIN;
    kept.current = keepPlaying(element, (request) => client.mediaUrl(memory.id, chosen, request), {
      initial: isUsable ? { url, expiresAt } : undefined,
      onEvent: show,
    });
    for (const name of ['timeupdate', 'seeking', 'loadedmetadata', 'play', 'pause', 'error']) {
      element.addEventListener(name, show, { signal: listening.signal });
    }
    const keepPlace = () => {
      stored('localStorage')[place] = String(element.ended ? 0 : element.currentTime);
    };
    element.addEventListener('timeupdate', keepPlace, { signal: listening.signal });
    return () => {
      listening.abort();
      kept.current?.stop();
    };
  }, [client, memory.id, element, chosen]);

  const move = (seconds: number) => {
    if (element !== null) element.currentTime = seconds;
    setShown((before) => ({ ...before, seconds }));
  };
  const jump = (seconds: number) => {
    move(seconds);
    kept.current?.play();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new moment moves the playback.
  useEffect(() => {
    if (element === null && first !== null) return;
    if (at === null && !isPlaced.current) move(Number(stored('localStorage')[place] ?? 0));
    isPlaced.current = true;
    if (at === null) return;
    jump(at / 1000);
    leaveMoment(memory.id);
  }, [element, at]);

  return {
    ...shown,
    kind: chosen,
    element,
    attach,
    move,
    choose,
    jump,
    toggle() {
      if (element?.ended) move(0);
      if (shown.isPlaying) kept.current?.pause();
      else kept.current?.play();
    },
    retry: () => void kept.current?.renew(),
  };
}

/** A URL that may not last for the next request of the player is read again before it is loaded. */
const MARGIN = 10_000;

function unavailable(memoryId: string, kind: PlayableKind): MediaUnavailableError {
  const message = `Failed to play the ${kind}: the memory has none. Try again later.`;
  return new MediaUnavailableError(message, { memoryId, kind });
}
