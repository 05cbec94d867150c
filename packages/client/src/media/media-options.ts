import type { RequestOptions } from '../client-options.ts';

/** Options of {@link MemoryClient.mediaUrl}. */
export interface MediaUrlOptions extends RequestOptions {
  /**
   * Minimum lifetime of a cached URL, in milliseconds. If less is left, a fresh URL is read. A fresh URL is returned
   * regardless of its lifetime. Default: 300,000 (5 minutes).
   */
  minimumLifetime?: number | undefined;
  /** Whether to read the memory again even if the cached URL has not expired, for example because it failed. Default: false. */
  fresh?: boolean | undefined;
}

/** A signed URL. Anyone who has it can read the media until it expires. */
export interface MediaUrl {
  /** URL of the media. It works without an API key, so treat it as a secret. */
  readonly url: string;
  /** Time at which the URL expires, by the local clock. */
  readonly expiresAt: Date;
}

/** Progress of a download. */
export interface MediaProgress {
  /** Number of bytes received, including those before `start`. */
  readonly bytesReceived: number;
  /** Size of the whole object in bytes; null if the storage does not report it. */
  readonly size: number | null;
}

/** Options of {@link MemoryClient.openMedia}. Durations range from 1 to 2,147,483,647 milliseconds. */
export interface OpenMediaOptions {
  /** Signal that aborts the download. The call and the body then fail with the signal's reason. Default: none. */
  signal?: AbortSignal | undefined;
  /**
   * Maximum time to wait for the headers of a response of the storage, in milliseconds. Default: 30,000 (30 seconds).
   */
  headersTimeout?: number | undefined;
  /** Maximum time to wait for the next bytes while the body is read, in milliseconds. Default: 30,000 (30 seconds). */
  stallTimeout?: number | undefined;
  /**
   * Maximum duration of the whole download, in milliseconds. The time of a slow reader counts. Default: `false` (no
   * limit), because a recording can take hours.
   */
  totalTimeout?: number | false | undefined;
  /**
   * Longest `Retry-After` that the download obeys, in milliseconds. If the storage or the API requests more, the download
   * fails at once. Default: that of the client, which is 120,000 (2 minutes) unless set.
   */
  maxRetryAfter?: number | undefined;
  /** Maximum size of the object, in bytes. A larger object fails as soon as its size is known. Default: no limit. */
  maxBytes?: number | undefined;
  /**
   * Position and strong ETag of an earlier download, to resume it. The body begins with that byte, counted from 0.
   * Default: the first byte.
   */
  start?: { readonly byte: number; readonly etag: string } | undefined;
  /** Called when bytes arrive. Errors that it throws are ignored. Default: none. */
  onProgress?: ((event: MediaProgress) => void) | undefined;
}

/** A download of media. */
export interface MediaDownload {
  /**
   * Bytes of the media from `start`. They are read from the storage on demand only.
   *
   * The body holds a connection until you read it to its end or cancel it.
   */
  readonly body: ReadableStream<Uint8Array>;
  /** Media type that the storage reports; null if it reports none. */
  readonly contentType: string | null;
  /** Size of the whole object in bytes; null if the storage does not report it. */
  readonly size: number | null;
  /**
   * Whether an incomplete body is detected: the storage reports the size or marks the end (chunked).
   *
   * If it is false, a proxy may have cut the body. It is also false if the runtime or CORS hides how the body was sent.
   */
  readonly isEndKnown: boolean;
  /** ETag of the object; null if the storage sends none. A strong ETag can be the `start.etag` of another download. */
  readonly etag: string | null;
  /** Position of the first byte of the body, counted from 0. */
  readonly start: number;
}
