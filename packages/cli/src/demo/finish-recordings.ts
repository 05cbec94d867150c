import type { Storage } from '../storage/storage.ts';
import { demoRecordingOf } from './demo-recording.ts';

/** Times after the start of a demo at which its newest recordings are processed, in milliseconds. */
export const finishTimesMs = [30_000, 180_000];

export interface FinishOptions {
  storage: Storage;
  userId: string;
  /** Ids of the recordings to finish, one at each of the times. */
  memoryIds: readonly string[];
  /** Ends the waiting. */
  signal: AbortSignal;
  /** Called with the error if a recording cannot be finished. */
  onError: (error: unknown) => void;
}

/** Ends the processing of recordings while a demo runs. */
export function finishRecordings({ storage, userId, memoryIds, signal, onError }: FinishOptions): void {
  const timers = memoryIds.slice(0, finishTimesMs.length).map((memoryId, index) => {
    const timer = setTimeout(() => void finish({ storage, userId, memoryId }).catch(onError), finishTimesMs[index]);
    return timer.unref();
  });
  signal.addEventListener('abort', () => timers.forEach(clearTimeout), { once: true });
}

async function finish({ storage, userId, memoryId }: { storage: Storage; userId: string; memoryId: string }) {
  const recording = demoRecordingOf(memoryId);
  // Another command can have finished it in the meantime.
  const stored = await storage.getMemory({ userId, memoryId });
  if (recording && stored?.is_processing) await storage.finishProcessing(userId, memoryId, recording);
}
