import { unlessAborted } from '@memory-read/contract/event-loop';
import { fieldNames, type MediaKind, type MemoryFieldName, mediaKinds } from '@memory-read/contract/fields';
import type { MediaUrlSigner } from '../ports/media-url-signer.ts';
import type { StoredMemory } from '../ports/memory-store.ts';
import { addedFields } from '../records/record-fields.ts';

/** How media URLs are signed. All URLs of one response expire at the same time. */
export interface MediaUrls {
  signer: MediaUrlSigner;
  expiresAt: Date;
  /** Aborts when the caller has closed the connection. */
  signal: AbortSignal;
}

/** What the caller may read: all memories of an account, or one of them. */
export interface Requested {
  userId: string;
  memoryId?: string;
}

/** The JSON of a memory: the text before the transcript, the JSON of the transcript, and the text after it. */
export type MemoryJson = readonly [start: string, transcript: string | Uint8Array<ArrayBuffer> | null, end: string];

/**
 * Returns a row as JSON (section 2.1), after checking that it is what was requested.
 *
 * A mistake of a store must never become a leak (section 5.5 of the specification). An example is a database that
 * compares ids without regard to case.
 *
 * The result is a promise only if the signer returns promises.
 */
export function memoryJson(
  row: StoredMemory,
  requested: Requested,
  mediaUrls: MediaUrls,
): MemoryJson | Promise<MemoryJson> {
  const { userId, memoryId } = requested;
  if (row.user_id !== userId) throw mistakeOfStore('a memory of another account', 'user_id');
  if (memoryId !== undefined && row.id !== memoryId) throw mistakeOfStore('another memory', 'id');
  if (typeof row.media !== 'object' || row.media === null)
    throw mistakeOfStore(row.media === undefined ? 'a memory without media' : 'media that are not an object', 'media');
  const urls = signedUrls(row.media, mediaUrls, []);
  const withTranscript = memoryId !== undefined;
  return urls instanceof Promise
    ? urls.then((waited) => spliced(row, waited, withTranscript))
    : spliced(row, urls, withTranscript);
}

type Url = string | null;

/** Signs one URL after the other, so that every failure is handled. It waits only if the signer returns a promise. */
function signedUrls(media: StoredMemory['media'], mediaUrls: MediaUrls, urls: Url[]): Url[] | Promise<Url[]> {
  const { signer, expiresAt, signal } = mediaUrls;
  for (let index = urls.length; index < mediaKinds.length; index += 1) {
    const reference = media[mediaKinds[index] as MediaKind];
    // A column of JSON can hold null.
    if (reference == null) {
      urls.push(null);
      continue;
    }
    const { object_key: objectKey, content_type: contentType } = reference;
    const url = signer.sign({ objectKey, contentType, expiresAt });
    if (typeof url !== 'string') {
      // The signer does not receive the signal, and may wait without a limit.
      const waiting = unlessAborted(url, signal);
      return waiting.then((waited) => signedUrls(media, mediaUrls, [...urls, assertUrl(waited)]));
    }
    urls.push(url);
  }
  return urls;
}

/** A signer in plain JavaScript may return nothing, and the field would then be missing. */
function assertUrl(url: unknown): string {
  if (typeof url === 'string') return url;
  throw new TypeError(`Failed to sign a media URL: the signer returned ${typeof url}. Return the URL as text.`);
}

/** A field that is written from an object, and its position among the URLs, if it is one. */
interface PlainField {
  readonly name: MemoryFieldName;
  readonly urlAt: number;
  /** A field that was added later is null in older rows. */
  readonly isAdded: boolean;
}

const plainFields = fieldNames.map((name): PlainField => {
  const urlAt = mediaKinds.findIndex((kind) => name === `${kind}_url`);
  return { name, urlAt, isAdded: (addedFields as readonly MemoryFieldName[]).includes(name) };
});
// Transcript and summary stand side by side in a response.
const before = plainFields.slice(0, fieldNames.indexOf('transcript'));
const after = plainFields.slice(fieldNames.indexOf('summary') + 1);

/** Inserts transcript and summary as text: they are stored as JSON, and parsing them would be slow. */
function spliced(row: StoredMemory, urls: readonly Url[], withTranscript: boolean): MemoryJson {
  const transcript = withTranscript ? row.transcriptJson : null;
  const isUtf8 = transcript instanceof Uint8Array && transcript.byteLength > 0;
  if (!isUtf8) assertJsonText(transcript, 'transcriptJson');
  assertJsonText(row.summaryJson, 'summaryJson');
  const start = `${JSON.stringify(fieldsOf(row, urls, before)).slice(0, -1)},"transcript":`;
  const end = after.length === 0 ? '}' : `,${JSON.stringify(fieldsOf(row, urls, after)).slice(1)}`;
  return [start, transcript, `,"summary":${row.summaryJson}${end}`];
}

/** Returns fields in the order of a response. */
function fieldsOf(row: StoredMemory, urls: readonly Url[], plain: readonly PlainField[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const { name, urlAt, isAdded } of plain) {
    const value = urlAt < 0 ? row[name as keyof StoredMemory] : urls[urlAt];
    if (value === undefined && !isAdded) throw mistakeOfStore(`a memory without ${name}`, name);
    fields[name] = value ?? null;
  }
  return fields;
}

/** A driver that parses JSON columns would make the response contain "[object Object]". */
function assertJsonText(text: unknown, column: string): asserts text is string | null {
  if (text === undefined) throw mistakeOfStore(`a memory without ${column}`, column);
  if (text === null || (typeof text === 'string' && text !== '')) return;
  throw mistakeOfStore(`a memory whose ${column} is neither JSON text nor null`, column);
}

function mistakeOfStore(found: string, column: string): Error {
  return new Error(`Failed to read memories: the store returned ${found}. Check how the store selects ${column}.`);
}
