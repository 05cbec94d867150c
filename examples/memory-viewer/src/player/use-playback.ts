import { MediaUnavailableError, type Memory, mediaExpiresAt } from '@memory-read/client';
import { type KeptPlayback, keepPlaying } from '@memory-read/client/playback';
import { useEffect, useRef, useState } from 'react';
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

/** The playback of one memory, which begins at this many milliseconds where they are given. */
export function usePlayback(memory: Memory, at: number | null): Playback {
  const { client } = useViewer();
  const [element, attach] = useState<HTMLVideoElement | null>(null);
  const [chosen, choose] = useState<PlayableKind | null>(null);
  const [shown, setShown] = useState({ seconds: 0, length: memory.duration_seconds, isPlaying: false, error: null });
  const kept = useRef<KeptPlayback>(null);
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
    return () => {
      listening.abort();
      kept.current?.stop();
    };
  }, [client, memory.id, element, chosen]);

  const move = (seconds: number) => {
    if (element !== null) element.currentTime = seconds;
    setShown((before) => ({ ...before, seconds }));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new moment moves the playback.
  useEffect(() => {
    if (at !== null && element !== null) move(at / 1000);
  }, [element, at]);

  return {
    ...shown,
    kind: chosen,
    element,
    attach,
    move,
    choose,
    jump(seconds) {
      move(seconds);
      kept.current?.play();
    },
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
