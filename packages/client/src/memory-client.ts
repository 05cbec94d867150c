import type { ListedMemory, MediaKind, Memory } from '@memory-read/contract';
import { type Client, openState, stateOf } from './client.ts';
import type { AuthScheme, MemoryClientOptions, RequestOptions } from './client-options.ts';
import { overrideSettings } from './configuration/client-settings.ts';
import type { MediaDownload, MediaUrl, MediaUrlOptions, OpenMediaOptions } from './media/media-options.ts';
import { mediaUrl } from './media/media-url-cache.ts';
import { openMedia } from './media/open-media.ts';
import { watchMemories } from './polling/list-watch.ts';
import { waitForMemories } from './polling/wait-for-memories.ts';
import { waitForMemory } from './polling/wait-for-memory.ts';
import type { WaitOptions, WaitOutcome } from './polling/wait-options.ts';
import type { MemoryWatch, WatchOptions } from './polling/watch-options.ts';
import { getMemory, listMemories } from './read-memories.ts';

/**
 * Reads the memories of one account.
 *
 * Each method rejects with an error of this package (see {@link isMemoryApiError}) or with the reason of an aborted
 * signal. If your `apiKey` function rejects, the method rejects with the same error.
 *
 * @example
 * ```ts
 * const client = new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: process.env.MEMORY_API_KEY });
 * ```
 */
export class MemoryClient implements Client {
  /** Root URL of the API, without a slash at its end. */
  declare readonly baseUrl: string;
  /** How the API key is sent. */
  declare readonly auth: AuthScheme;

  /**
   * Creates a client. It sends no request before you call a method.
   *
   * @throws a {@link ConfigurationError} if an option is invalid, or the base URL or the API key is missing.
   */
  constructor(options: MemoryClientOptions = {}) {
    const { baseUrl, auth } = openState(this, options).settings;
    // Requests would still go to the old URL if these could be changed.
    Object.defineProperties(this, {
      baseUrl: { value: baseUrl, enumerable: true },
      auth: { value: auth, enumerable: true },
    });
  }

  /**
   * Returns all memories of the account, newest first and without transcripts. See section 4.1 of the specification.
   *
   * @throws an {@link AuthenticationError} if the API key is missing or invalid.
   * @throws a {@link RateLimitError} if the server still responds with 429 after the retries.
   * @throws a {@link ServerError} if the server still responds with 5xx after the retries.
   * @throws a {@link ConnectionError} if no complete response arrives, even after the retries.
   * @throws a {@link RequestTimeoutError} if the last attempt exceeds `timeout`, or the call exceeds `totalTimeout`.
   * @throws an {@link InvalidResponseError} if the response violates the contract.
   * @throws an {@link InvalidRequestError} if the server responds with 422.
   * @throws an {@link UnexpectedResponseError} if the server responds with any other status, such as 403 or a redirect.
   * @throws a {@link ConfigurationError} if an option is invalid.
   *
   * @example
   * ```ts
   * const memories = await client.listMemories();
   * for (const { id, name, started_at } of memories) console.log(started_at, id, name);
   * ```
   */
  listMemories(options?: RequestOptions): Promise<ListedMemory[]> {
    return listMemories(this, options);
  }

  /**
   * Returns one memory. A processed memory has its transcript and summary. See section 4.2 of the specification.
   *
   * @throws a {@link MemoryNotFoundError} if the memory does not exist or belongs to another account.
   * @throws an {@link AuthenticationError} if the API key is missing or invalid.
   * @throws an {@link InvalidRequestError} if the server rejects the id as malformed (422).
   * @throws a {@link RateLimitError} if the server still responds with 429 after the retries.
   * @throws a {@link ServerError} if the server still responds with 5xx after the retries.
   * @throws a {@link ConnectionError} if no complete response arrives, even after the retries.
   * @throws a {@link RequestTimeoutError} if the last attempt exceeds `timeout`, or the call exceeds `totalTimeout`.
   * @throws an {@link InvalidResponseError} if the response violates the contract.
   * @throws an {@link UnexpectedResponseError} if the server responds with any other status, such as 403 or a redirect.
   * @throws a {@link ConfigurationError} if an option is invalid, or a URL cannot hold the id. An empty id is an example.
   *
   * @example
   * ```ts
   * const { summary, transcript } = await client.getMemory('mem_1');
   * console.log(summary?.quick_summary);
   * for (const { speaker, text } of transcript?.segments ?? []) console.log(`${speaker}: ${text}`);
   * ```
   */
  getMemory(memoryId: string, options?: RequestOptions): Promise<Memory> {
    return getMemory(this, memoryId, options);
  }

  /**
   * Polls a memory until it is processed, and returns it. See section 3 of the specification.
   *
   * Transient errors, such as a 503 or a network failure, are retried until `maxWait` has passed. Any other error ends
   * the wait. A processed memory can lack a transcript or a summary, for example if the recording has no speech.
   *
   * @throws a {@link ProcessingTimeoutError} if the memory is not processed within `maxWait`. The error holds the last
   *   response.
   * @throws a {@link MemoryNotFoundError} if the memory does not exist or belongs to another account.
   * @throws an {@link AuthenticationError} if the API key is missing or invalid.
   * @throws an {@link InvalidRequestError} if the server rejects the id as malformed (422).
   * @throws a {@link ServerError} if the server responds with a 5xx other than 500, 502, 503 and 504.
   * @throws a {@link ConnectionError} if a retry cannot help, for example after a certificate error.
   * @throws an {@link InvalidResponseError} if the response is JSON but violates the contract.
   * @throws an {@link UnexpectedResponseError} if the server responds with any other status, such as 403 or a redirect.
   * @throws a {@link ConfigurationError} if the id or an option is invalid.
   *
   * @example
   * ```ts
   * const processed = await client.waitForMemory('mem_1', { maxWait: 600_000 });
   * console.log(processed.summary?.quick_summary ?? 'no summary');
   * ```
   */
  waitForMemory(memoryId: string, options?: WaitOptions): Promise<Memory> {
    return waitForMemory(this, memoryId, options);
  }

  /**
   * Polls several memories, and yields the outcome of each one when its wait ends. See section 3 of the specification.
   *
   * Each round sends one request for the list, and one for each memory that is ready to be read. If a memory is not
   * found, fails or times out, its outcome says so, and the wait continues for the others. A duplicate id has one
   * outcome.
   *
   * The errors below end the whole wait: the iteration throws them if a request for the list fails.
   *
   * @throws an {@link AuthenticationError} if the API key is missing or invalid.
   * @throws an {@link InvalidRequestError} if the server responds with 422.
   * @throws a {@link ServerError} if the server responds with a 5xx other than 500, 502, 503 and 504.
   * @throws a {@link ConnectionError} if a retry cannot help, for example after a certificate error.
   * @throws an {@link InvalidResponseError} if the response is JSON but violates the contract.
   * @throws an {@link UnexpectedResponseError} if the server responds with any other status, such as 403 or a redirect.
   * @throws a {@link ConfigurationError} if an option is invalid, or `memoryIds` is not an array or another iterable
   *   object.
   *
   * @example
   * ```ts
   * for await (const outcome of client.waitForMemories(['mem_1', 'mem_2'])) {
   *   if (outcome.status === 'processed') console.log(outcome.memory.summary?.quick_summary);
   *   else console.warn(outcome.memoryId, outcome.status, outcome.error.message);
   * }
   * ```
   */
  waitForMemories(memoryIds: Iterable<string>, options?: WaitOptions): AsyncGenerator<WaitOutcome, void, void> {
    return waitForMemories(this, memoryIds, options);
  }

  /**
   * Polls the list, and yields each change of the account's memories. Each poll is one request.
   *
   * Transient errors are reported to `onError`, and the watch continues. Any other error ends the watch. Changes that
   * are undone between two polls are missed. See section 4.1 of the specification.
   *
   * The iteration throws the errors below.
   *
   * @throws an {@link AuthenticationError} if the API key is missing or invalid.
   * @throws an {@link InvalidRequestError} if the server responds with 422.
   * @throws a {@link ServerError} if the server responds with a 5xx other than 500, 502, 503 and 504.
   * @throws a {@link ConnectionError} if a retry cannot help, for example after a certificate error.
   * @throws an {@link InvalidResponseError} if the response is JSON but violates the contract.
   * @throws an {@link UnexpectedResponseError} if the server responds with any other status, such as 403 or a redirect.
   * @throws a {@link ConfigurationError} if an option or the state is invalid, or the watch is iterated twice.
   *
   * @example
   * ```ts
   * for await (const change of client.watchMemories()) {
   *   if (change.type !== 'processed') continue;
   *   console.log(`${change.memory.name} can be read now`);
   *   break;
   * }
   * ```
   */
  watchMemories(options?: WatchOptions): MemoryWatch {
    return watchMemories(this, options);
  }

  /**
   * Returns a signed URL of the media; null if the memory has none. See section 2.1.1 of the specification.
   *
   * The client caches the URL and reads a fresh one if less than `minimumLifetime` is left. A fresh URL is returned
   * regardless of its lifetime. With `auth: 'none'` or with `headers` in the
   * call, nothing is cached.
   *
   * Treat the URL as a secret. Anyone who has it can download the media until it expires.
   *
   * @throws an {@link InvalidResponseError} if the response violates the contract, or the URL is neither http nor https.
   * @throws a {@link MemoryNotFoundError} if the memory does not exist or belongs to another account.
   * @throws an {@link AuthenticationError} if the API key is missing or invalid.
   * @throws an {@link InvalidRequestError} if the server rejects the id as malformed (422).
   * @throws a {@link RateLimitError} if the server still responds with 429 after the retries.
   * @throws a {@link ServerError} if the server still responds with 5xx after the retries.
   * @throws a {@link ConnectionError} if no complete response arrives, even after the retries.
   * @throws a {@link RequestTimeoutError} if the last attempt exceeds `timeout`, or the call exceeds `totalTimeout`.
   * @throws an {@link UnexpectedResponseError} if the server responds with any other status, such as 403 or a redirect.
   * @throws a {@link ConfigurationError} if the id, the kind or an option is invalid.
   *
   * @example
   * ```ts
   * const audio = await client.mediaUrl('mem_1', 'audio', { minimumLifetime: 600_000 });
   * if (audio) console.log(`It plays until ${audio.expiresAt.toISOString()}.`);
   * ```
   */
  mediaUrl(memoryId: string, kind: MediaKind, options?: MediaUrlOptions): Promise<MediaUrl | null> {
    return mediaUrl(this, memoryId, kind, options);
  }

  /**
   * Downloads the media as a stream. See section 2.1.1 of the specification.
   *
   * If the connection breaks or the URL expires, the download resumes at the same byte. All bytes come from the same
   * object; otherwise the stream fails. The API key is never sent to the storage. The download has no time limit by
   * default.
   *
   * Reading `body` can fail with the same errors.
   *
   * @throws a {@link MediaUnavailableError} if the memory has no such media.
   * @throws a {@link MediaDownloadError} if the storage refuses the download or keeps failing, or the object has changed.
   * @throws a {@link MemoryNotFoundError} if the memory does not exist or belongs to another account.
   * @throws an {@link AuthenticationError} if the API key is missing or invalid.
   * @throws an {@link InvalidRequestError} if the server rejects the id as malformed (422).
   * @throws a {@link RateLimitError} if the server still responds with 429 after the retries.
   * @throws a {@link ServerError} if the server still responds with 5xx after the retries.
   * @throws a {@link ConnectionError} if the API sends no complete response, even after the retries.
   * @throws a {@link RequestTimeoutError} if the download exceeds `totalTimeout`, or reading the memory times out.
   * @throws an {@link InvalidResponseError} if the response of the API violates the contract.
   * @throws an {@link UnexpectedResponseError} if the API responds with any other status, such as 403 or a redirect.
   * @throws a {@link ConfigurationError} if the id, the kind or an option is invalid.
   *
   * @example
   * ```ts
   * const { body, size } = await client.openMedia('mem_1', 'audio');
   * let received = 0;
   * const reader = body.getReader();
   * for (let next = await reader.read(); !next.done; next = await reader.read()) received += next.value.byteLength;
   * console.log(received === size);
   * ```
   */
  openMedia(memoryId: string, kind: MediaKind, options?: OpenMediaOptions): Promise<MediaDownload> {
    return openMedia(this, memoryId, kind, options);
  }

  /**
   * Returns a new client of the same class with changed options. An option that is absent or undefined keeps its value,
   * but an `apiKey` of undefined is rejected. The constructor of a subclass gets all options as its one argument.
   *
   * `headers` and `hooks` replace those of this client. The headers of a single call are added instead. The two clients
   * share no cache.
   *
   * @throws a {@link ConfigurationError} if an option is invalid.
   *
   * @example
   * ```ts
   * const nightly = client.withOptions({ totalTimeout: 600_000, retries: 5 });
   * const sameMemories = await nightly.listMemories();
   * ```
   */
  withOptions(overrides: Partial<MemoryClientOptions>): this {
    const settings = overrideSettings(stateOf(this, 'withOptions'), overrides);
    return new (this.constructor as new (options: MemoryClientOptions) => this)(settings);
  }

  /** Returns what a log may show of the client: never the API key. */
  toJSON(): { baseUrl: string; auth: string } {
    const { baseUrl, auth } = this;
    return { baseUrl, auth };
  }
}
