import { setFlagsFromString } from 'node:v8';
import { hashApiKey, type StoredMemory } from '@memory-read/server';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { mediaSigner } from '../memories/account.ts';

// As `memory-read serve` does, so that both sides grow their heap alike.
for (const flag of ['--semi-space-growth-factor=1', '--heap-growing-percent=50']) setFlagsFromString(flag);

/** The store that the reference server and the bare one have in common. */
export const store = openSqliteStore({ path: process.argv[2] ?? '' });

/** The bare work of one GET: hash and look up the key, look up the memory, sign its URLs, make the JSON. */
export async function readMemory(authorization: string, url: string): Promise<string | undefined> {
  const key = await store.findApiKey(hashApiKey(authorization.slice('Bearer '.length)));
  if (!key?.active) return undefined;
  const memoryId = decodeURIComponent(url.slice(url.lastIndexOf('/') + 1));
  const row = await store.getMemory({ userId: key.userId, memoryId });
  return row && toJson(row, row.transcriptJson ?? null);
}

/** A row as the API shows it, with three signed URLs. */
export function toJson(row: StoredMemory, transcriptJson: StoredMemory['transcriptJson']): string {
  const { media, summaryJson, transcriptJson: _, ...fields } = row;
  const expiresAt = new Date(Date.now() + 3_600_000);
  const text = JSON.stringify({
    ...fields,
    audio_url: sign(media.audio, expiresAt),
    video_url: sign(media.video, expiresAt),
    preview_image_url: sign(media.preview_image, expiresAt),
  });
  return `${text.slice(0, -1)},"transcript":${transcriptJson},"summary":${summaryJson}}`;
}

function sign(media: StoredMemory['media']['audio'], expiresAt: Date): string | null {
  if (media === undefined) return null;
  return mediaSigner.sign({ objectKey: media.object_key, contentType: media.content_type, expiresAt });
}
