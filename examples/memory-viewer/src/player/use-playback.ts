import type { Memory } from '@memory-read/client';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useViewer } from '../viewer-context.ts';
import { MediaPlayback } from './media-playback.ts';

/** The playback of one memory, which begins at this many milliseconds where they are given. */
export function usePlayback(memory: Memory, at: number | null) {
  const { client } = useViewer();
  const [playback] = useState(() => new MediaPlayback(client, memory));
  const state = useSyncExternalStore(playback.subscribe, playback.state);
  useEffect(() => playback.take(memory), [playback, memory]);
  useEffect(() => {
    if (at !== null) playback.move(at / 1000);
  }, [playback, at]);
  return { playback, state };
}
