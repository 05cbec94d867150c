import type { MemoryRecord } from '@memory-read/contract';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';

const submarine = {
  speaker: 'Speaker 1',
  start_at: '2026-11-16T08:00:05Z',
  end_at: '2026-11-16T08:00:09Z',
  text: 'We talk about the submarine.',
};

/** The memories of the pictures, newest first. The clock of their owner is one hour ahead of UTC. */
export const pictureRecords: readonly MemoryRecord[] = [
  processing('mem_01M81GZX3T8Q5V0K2R7N4B6D1C', '2026-11-22T11:26:00Z', 'Morning sync, platform team'),
  record('mem_01M81EP771GTGD18CCBDP1FMP0', '2026-11-22T10:01:00Z', 2_700, 'Morning sync, platform team', {
    summary: { quick_summary: 'The team plans the release.', key_takeaways: ['Freeze on Thursday.'] },
    media: {
      audio: { object_key: '1.wav', content_type: 'audio/wav' },
      preview_image: { object_key: '2.png', content_type: 'image/png' },
    },
  }),
  processing('mem_01M818WQ6F2Y9S3H5J0A7E4P8T', '2026-11-22T09:16:00Z', 'Sprachnotiz: die Werkstatt'),
  record('mem_01M814D5N8G1X7C0V4M2Z9K6RB', '2026-11-22T08:01:00Z', 49, 'Sprachnotiz: die Werkstatt'),
  record('mem_01M7ZB3A9W5T1H8Q6P0F4Y2SJE', '2026-11-21T18:10:00Z', 98, 'Parent-teacher talk about Derek'),
  record('mem_01M7WZXR4C6N2K8D0V5G1B9M7T', '2026-11-16T08:00:00Z', 2_700, 'Weekly planning', {
    summary: { quick_summary: 'The team plans the week.', key_takeaways: ['Ship it.'] },
    transcript: { segments: [submarine] },
  }),
];

function record(id: string, started_at: string, seconds: number, name: string, more: Partial<MemoryRecord> = {}) {
  const ended_at = new Date(Date.parse(started_at) + seconds * 1000).toISOString();
  return sampleRecord({ id, name, started_at, ended_at, duration_seconds: seconds, summary: null, ...more });
}

function processing(id: string, started_at: string, name: string) {
  return record(id, started_at, 60, name, { is_processing: true, transcript: null });
}
