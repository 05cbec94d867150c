import { createCueIndex, followCues } from '@memory-read/client/playback';
import { normalizeTranscript } from '@memory-read/client/transcript';
import { startMemoryMock } from '@memory-read/msw/browser';

const mock = await startMemoryMock({ baseUrl: '/api', auth: 'none' });

/** Adds a memory in which two speakers talk, the second one from 64.5 to 70 seconds. */
function addTalk(seconds: number): string {
  const at = (second: number) => new Date(Date.UTC(2026, 2, 1, 12) + second * 1000).toISOString();
  const turns = [
    ['Ann', 60, 64],
    ['Bob', 64.5, 70],
  ] as const;
  const segments = turns.map(([speaker, from, to]) => ({
    speaker,
    start_at: at(from),
    end_at: at(to),
    text: 'Words.',
  }));
  return mock.memories.add({ started_at: at(0), duration_seconds: seconds, transcript: { segments } }).id;
}

async function read(memoryId: string) {
  return (await fetch(`/api/v1/memories/${memoryId}`)).json();
}

/** Returns the duration, and which cues are current when a player is at each of these times. */
export async function cuesAt(times: number[], crossOrigin: string | null) {
  const memory = await read(addTalk(3600));
  const audio = new Audio();
  audio.crossOrigin = crossOrigin;
  const failed = new Promise<never>((_, reject) => {
    audio.onerror = () => reject(new Error(audio.error?.message));
  });
  audio.src = memory.audio_url;
  await Promise.race([new Promise((resolve) => audio.addEventListener('loadeddata', resolve)), failed]);
  let current = -1;
  const stop = followCues(audio, createCueIndex(normalizeTranscript(memory).cues), (index) => {
    current = index;
  });
  const seen: [position: number, cue: number][] = [];
  for (const time of times) {
    const sought = new Promise((resolve) => audio.addEventListener('seeked', resolve, { once: true }));
    audio.currentTime = time;
    await Promise.race([sought, failed]);
    seen.push([audio.currentTime, current]);
  }
  stop();
  return { duration: audio.duration, seen };
}

/** Returns the pitch and the loudness in the middle of the syllables that begin at these times, as Chromium decodes them. */
export async function heardAt(times: number[]) {
  const { audio_url } = await read(addTalk(125));
  const bytes = await (await fetch(audio_url)).arrayBuffer();
  const sound = await new OfflineAudioContext(1, 1, 48_000).decodeAudioData(bytes);
  return times.map((time) => {
    const samples = sound.getChannelData(0).subarray((time + 0.05) * 48_000, (time + 0.15) * 48_000);
    const rises = samples.filter((sample, index) => sample > 0 && (samples[index - 1] ?? 0) <= 0).length;
    return { hertz: 10 * rises, loudness: Math.max(...samples) };
  });
}
