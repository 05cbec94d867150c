import type { RequestOptions } from '../client-options.ts';

/** How to get a media URL. */
export interface MediaUrlOptions extends RequestOptions {
  /**
   * Milliseconds that a remembered URL must still work; a shorter one is read anew, and what is freshly read is returned
   * however short it lives. Default: 300,000.
   */
  minimumLifetime?: number | undefined;
}

/** A signed URL: whoever has it can read the media until it expires. */
export interface MediaUrl {
  readonly url: string;
  /** When it stops working, by the local clock. */
  readonly expiresAt: Date;
}

/** How far a download is. */
export interface MediaProgress {
  /** Bytes of the object that have arrived, those before `start` included. */
  readonly bytesReceived: number;
  /** Bytes of the whole object; null where the storage does not tell. */
  readonly size: number | null;
}

/** How to download media. Durations are milliseconds from 1 to 2,147,483,647. */
export interface OpenMediaOptions {
  /** Ends the download at once, its body too; both then fail with the signal's own reason. */
  signal?: AbortSignal | undefined;
  /** Longest wait for the headers of an answer of the storage. Default: 30,000. */
  headersTimeout?: number | undefined;
  /** Longest wait for the next bytes; it counts only while the body is being read. Default: 30,000. */
  stallTimeout?: number | undefined;
  /** Longest duration of the whole download, slow readers included. Default: false, since a recording may take hours. */
  totalTimeout?: number | false | undefined;
  /** Largest object that is accepted; a larger one fails, as soon as its size is known. Default: any. */
  maxBytes?: number | undefined;
  /** Where an earlier download stopped, and the strong ETag it had: the body begins with that byte, counted from 0. */
  start?: { readonly byte: number; readonly etag: string } | undefined;
  /** Called as bytes arrive; what it throws is ignored. */
  onProgress?: ((event: MediaProgress) => void) | undefined;
}

/** Media that is being downloaded. */
export interface MediaDownload {
  /**
   * The bytes from `start` on; nothing is read from the storage before it is asked for.
   *
   * It holds a connection until it has been read to its end or cancelled.
   */
  readonly body: ReadableStream<Uint8Array>;
  /** As the storage tells it. */
  readonly contentType: string | null;
  /** Bytes of the whole object; null where the storage does not tell. */
  readonly size: number | null;
  /**
   * Whether an early end would be noticed: the storage tells the size, or marks the end (chunked).
   *
   * Where it is false, a proxy may have cut the body. That is so too where a runtime or CORS hides how a body of
   * unknown size was sent.
   */
  readonly isEndKnown: boolean;
  /** The storage's name for these very bytes; a strong one serves as `start.etag` of another download. */
  readonly etag: string | null;
  /** The first byte of the body, counted from 0. */
  readonly start: number;
}
