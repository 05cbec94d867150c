import type { MediaKind, MediaReference } from '@memory-read/contract';
import type { MediaUrlSigner } from '../ports/media-url-signer.ts';
import type { StoredMemory } from '../ports/memory-store.ts';
import { type EncodedMemory, transcriptOf } from '../records/encoded-memory.ts';
import type { WholeBody } from './whole-body.ts';

/** What an answer adds to a row: signed URLs, all of one response until the same instant. */
export interface MediaUrls {
  signer: MediaUrlSigner;
  expiresAt: Date;
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal;
}

/** A row as the JSON text of section 2.1 of the specification, with its transcript; at once where the signer signs at once. */
export function memoryJson(row: StoredMemory | EncodedMemory, mediaUrls: MediaUrls): WholeBody | Promise<WholeBody> {
  const transcript = transcriptOf(row) ?? null;
  return json(row, mediaUrls, (start, end) =>
    transcript instanceof Uint8Array ? [start, transcript, end] : `${start}${transcript}${end}`,
  );
}

/** A row as an element of the list: its transcript is null (section 4.1.3 of the specification). */
export function listedMemoryJson(row: StoredMemory, mediaUrls: MediaUrls): string | Promise<string> {
  return json(row, mediaUrls, (start, end) => `${start}null${end}`);
}

type AroundTranscript<Json> = (start: string, end: string) => Json;

function json<Json>(
  row: StoredMemory,
  mediaUrls: MediaUrls,
  aroundTranscript: AroundTranscript<Json>,
): Json | Promise<Json> {
  const urls = signedUrls(row.media, mediaUrls, []);
  return Array.isArray(urls)
    ? spliced(row, urls, aroundTranscript)
    : urls.then((waited) => spliced(row, waited, aroundTranscript));
}

type Url = string | null;
const kinds = ['audio', 'video', 'preview_image'] as const satisfies MediaKind[];

/** One after the other, so that no failure goes unnoticed; without waiting where the signer does not wait. */
function signedUrls(media: StoredMemory['media'], mediaUrls: MediaUrls, urls: Url[]): Url[] | Promise<Url[]> {
  for (const kind of kinds.slice(urls.length)) {
    const url = signed(media[kind], mediaUrls);
    if (url instanceof Promise) return url.then((waited) => signedUrls(media, mediaUrls, [...urls, waited]));
    urls.push(url);
  }
  return urls;
}

/** Transcript and summary are JSON text already and are spliced in: what is read is never parsed and serialised again. */
function spliced<Json>(row: StoredMemory, urls: Url[], aroundTranscript: AroundTranscript<Json>): Json {
  const [audio_url, video_url, preview_image_url] = urls;
  const text = JSON.stringify({
    id: row.id,
    name: row.name,
    started_at: row.started_at,
    ended_at: row.ended_at,
    is_processing: row.is_processing,
    user_id: row.user_id,
    duration_seconds: row.duration_seconds,
    audio_url,
    video_url,
    preview_image_url,
  });
  return aroundTranscript(`${text.slice(0, -1)},"transcript":`, `,"summary":${row.summaryJson}}`);
}

function signed(media: MediaReference | undefined, { signer, expiresAt, signal }: MediaUrls) {
  if (media === undefined) return null;
  const url = signer.sign({ objectKey: media.object_key, contentType: media.content_type, expiresAt });
  return typeof url === 'string' ? url : unlessAborted(url, signal).then(assertUrl);
}

/** A signer in plain JavaScript may forget to return, and the field would be missing. */
function assertUrl(url: unknown): string {
  if (typeof url === 'string') return url;
  throw new TypeError(`Failed to sign a media URL: because the signer returned ${typeof url}. Return the URL as text.`);
}

/** A signer may wait for credentials that never come, and knows nothing of the caller who left meanwhile. */
function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave);
    Promise.resolve(promise)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', leave));
  });
}
