import { type Memory, MemoryClient } from '@memory-read/client';
// #region playback-imports
import { createCueIndex, followCues, keepPlaying } from '@memory-read/client/playback';
import { normalizeTranscript } from '@memory-read/client/transcript';

// #endregion

const client = new MemoryClient({ baseUrl: '/api', auth: 'none' });

/** Plays a memory, and calls `highlight` with each line that is spoken. Returns a function that ends it. */
export function play(video: HTMLVideoElement, memory: Memory, highlight: (line: number) => void): () => void {
  // #region keep-playing
  const playback = keepPlaying(video, (request) => client.mediaUrl('mem_1', 'video', request));
  // #endregion
  // #region cue-index
  const index = createCueIndex(normalizeTranscript(memory).cues);
  // #endregion
  // #region follow-cues
  const unfollow = followCues(video, index, (current) => highlight(current));
  // #endregion
  return () => {
    playback.stop();
    unfollow();
  };
}
