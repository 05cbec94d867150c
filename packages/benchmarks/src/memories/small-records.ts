import type { MemoryRecord } from '@memory-read/contract';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';

const epoch = Date.UTC(2026, 0, 1);
const minute = 60_000;

/** Memories without transcript, each with three media and a summary; made one by one, so that any number takes no room. */
export function* smallRecords(count: number): Generator<MemoryRecord, void, void> {
  for (let index = 0; index < count; index += 1) yield smallRecord(index);
}

/** A memory whose transcript has this many segments, each of some 150 bytes. */
export function longRecord(segments: number): MemoryRecord {
  const at = (seconds: number) => new Date(epoch + seconds * 1_000).toISOString();
  return {
    ...smallRecord(0),
    transcript: {
      segments: Array.from({ length: segments }, (_, index) => ({
        speaker: `Speaker ${(index % 3) + 1}`,
        start_at: at(index * 2),
        end_at: at(index * 2 + 1.9),
        text: `This is what was said then, for the ${index}th time.`,
      })),
    },
  };
}

export function memoryIdAt(index: number): string {
  return `mem_${String(index).padStart(8, '0')}`;
}

export function smallRecord(index: number): MemoryRecord {
  const id = memoryIdAt(index);
  return sampleRecord({
    id,
    name: `Call with the insurer, part ${index}`,
    started_at: new Date(epoch + index * minute).toISOString(),
    ended_at: new Date(epoch + (index + 1) * minute).toISOString(),
    duration_seconds: 60,
    transcript: null,
    summary: {
      quick_summary: 'The damage is covered, and a form has to be sent within two weeks.',
      key_takeaways: ['Send the form', 'Keep the receipts'],
    },
    media: {
      audio: { object_key: `${id}/audio.wav`, content_type: 'audio/wav' },
      video: { object_key: `${id}/video.webm`, content_type: 'video/webm' },
      preview_image: { object_key: `${id}/preview.png`, content_type: 'image/png' },
    },
  });
}
