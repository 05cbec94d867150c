import type { MediaReference } from '@memory-read/contract';
import { fieldNames, type MemoryFieldName, mediaKinds } from '@memory-read/contract/fields';
import type { MediaUrlSigner } from '../ports/media-url-signer.ts';
import type { StoredMemory } from '../ports/memory-store.ts';
import { type EncodedMemory, transcriptOf } from '../records/encoded-memory.ts';
import type { WholeBody } from './answer.ts';

/** How media URLs are signed. All URLs of one response expire at the same time. */
export interface MediaUrls {
  signer: MediaUrlSigner;
  expiresAt: Date;
  /** Aborts when the caller has closed the connection. */
  signal: AbortSignal;
}

/**
 * Returns a row with its transcript as JSON (section 2.1). The result is a promise only if the signer returns promises.
 */
export function memoryJson(row: StoredMemory | EncodedMemory, mediaUrls: MediaUrls): WholeBody | Promise<WholeBody> {
  const transcript = transcriptOf(row) ?? null;
  return json(row, mediaUrls, (start, end) =>
    transcript instanceof Uint8Array ? [start, transcript, end] : `${start}${transcript}${end}`,
  );
}

/** Returns a row as JSON of the list, in which the transcript is null (section 4.1.3 of the specification). */
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

/** Signs one URL after the other, so that every failure is handled. It waits only if the signer returns a promise. */
function signedUrls(media: StoredMemory['media'], mediaUrls: MediaUrls, urls: Url[]): Url[] | Promise<Url[]> {
  for (const kind of mediaKinds.slice(urls.length)) {
    const url = signed(media[kind], mediaUrls);
    if (url instanceof Promise) return url.then((waited) => signedUrls(media, mediaUrls, [...urls, waited]));
    urls.push(url);
  }
  return urls;
}

/** Inserts transcript and summary as text: they are stored as JSON, and parsing them would be slow. */
function spliced<Json>(row: StoredMemory | EncodedMemory, urls: Url[], aroundTranscript: AroundTranscript<Json>): Json {
  let start = '{';
  for (const write of beforeTranscript) start += `${write(row, urls)},`;
  let end = '';
  for (const write of behindTranscript) end += `,${write(row, urls)}`;
  return aroundTranscript(`${start}"transcript":`, `${end}}`);
}

/** Returns one field with its name as JSON text. */
type WriteField = (row: StoredMemory | EncodedMemory, urls: readonly Url[]) => string;

const transcriptAt = fieldNames.indexOf('transcript');
const beforeTranscript = fieldNames.slice(0, transcriptAt).map(toWriter);
const behindTranscript = fieldNames.slice(transcriptAt + 1).map(toWriter);

/** Returns a function for each field, which is faster than building an object and serialising it. */
function toWriter(name: MemoryFieldName): WriteField {
  const key = `${JSON.stringify(name)}:`;
  if (name === 'summary') return (row) => key + row.summaryJson;
  const media = mediaKinds.findIndex((kind) => name === `${kind}_url`);
  if (media >= 0) return (_row, urls) => key + JSON.stringify(urls[media]);
  const field = name as keyof StoredMemory;
  return (row) => key + JSON.stringify(row[field] ?? null);
}

function signed(media: MediaReference | undefined, { signer, expiresAt, signal }: MediaUrls) {
  if (media === undefined) return null;
  const url = signer.sign({ objectKey: media.object_key, contentType: media.content_type, expiresAt });
  return typeof url === 'string' ? url : unlessAborted(url, signal).then(assertUrl);
}

/** A signer in plain JavaScript may return nothing, and the field would then be missing. */
function assertUrl(url: unknown): string {
  if (typeof url === 'string') return url;
  throw new TypeError(`Failed to sign a media URL: the signer returned ${typeof url}. Return the URL as text.`);
}

/** Rejects when the caller disconnects: the signer does not receive the signal and may wait without a limit. */
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
