import type { MemoryRecord } from '@memory-read/contract';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';

/**
 * Returns silence of this length as a WAV file. It has so many bytes per second that a player does not load all of it
 * at once.
 */
export function silence(seconds: number, bytesPerSecond = 8000): Uint8Array<ArrayBuffer> {
  const size = seconds * bytesPerSecond;
  const bytes = Buffer.alloc(44 + size, 128);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + size, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(bytesPerSecond, 24);
  bytes.writeUInt32LE(bytesPerSecond, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(size, 40);
  return bytes;
}

/** A memory with a line every minute, and one medium. */
export function longRecording(seconds: number, objectKey: string): MemoryRecord {
  const start = Date.parse('2026-03-01T10:00:00Z');
  const at = (offset: number) => new Date(start + offset * 1000).toISOString();
  const segments = Array.from({ length: seconds / 60 }, (_, minute) => ({
    speaker: `Speaker ${(minute % 2) + 1}`,
    start_at: at(minute * 60),
    end_at: at(minute * 60 + 50),
    text: `This is minute ${minute}.`,
  }));
  return sampleRecord({
    id: 'mem_long',
    name: 'A long talk',
    started_at: at(0),
    ended_at: at(seconds),
    duration_seconds: seconds,
    transcript: { segments },
    summary: { quick_summary: 'Somebody counts the minutes.', key_takeaways: [] },
    media: { audio: { object_key: objectKey, content_type: 'audio/wav' } },
  });
}
