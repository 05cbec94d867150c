import type { ListedMemory, MediaKind, Memory } from '@memory-read/contract';
import { mediaKinds } from '@memory-read/contract/fields';
import { type OperationId, operations } from '@memory-read/contract/operations';
import { redact } from '@memory-read/contract/redaction';
import type { MemoryClientOptions, RequestOptions } from './client-options.ts';
import { requestUrl } from './configuration/base-url.ts';
import {
  type ClientSettings,
  overrideOptions,
  overrideSettings,
  resolveSettings,
} from './configuration/client-settings.ts';
import { OptionChecks } from './configuration/option-checks.ts';
import { lookUpKey } from './media/look-up-key.ts';
import { localExpiry } from './media/media-expiry.ts';
import type { MediaDownload, MediaUrl, MediaUrlOptions, OpenMediaOptions } from './media/media-options.ts';
import type { MediaCall, MediaReading, MediaSource, MediaTarget } from './media/media-source.ts';
import { MediaUrlCache } from './media/media-url-cache.ts';
import { openMedia } from './media/open-media.ts';
import { encodeMemoryId } from './memory-path.ts';
import { ListWatch } from './polling/list-watch.ts';
import type { PollSource } from './polling/poll-source.ts';
import { waitForMemories } from './polling/wait-for-memories.ts';
import { waitForMemory } from './polling/wait-for-memory.ts';
import type { WaitOptions, WaitOutcome } from './polling/wait-options.ts';
import type { MemoryWatch, WatchOptions } from './polling/watch-options.ts';
import { endCall, type ResponseOf, readOperation } from './read-operation.ts';
import { responseInfo } from './response-info.ts';
import { type Call, type CallTarget, createCall } from './transport/call.ts';
import { globalRuntime } from './transport/runtime.ts';

type ReadTarget = Pick<CallTarget, 'action' | 'memoryId' | 'apiKeys' | 'startedAt'>;

/**
 * Reads the memories of one account.
 *
 * A method rejects with one of this package's errors (see {@link isMemoryApiError}), with the reason of an aborted
 * signal, or with what an `apiKey` function rejects with; with nothing else.
 *
 * @example
 * ```ts
 * const client = new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: process.env.MEMORY_API_KEY });
 * ```
 */
export class MemoryClient {
  readonly #settings: ClientSettings;
  readonly #media: MediaSource;
  readonly #mediaUrls: MediaUrlCache;

  /** @throws {ConfigurationError} where an option cannot be used, or no base URL or key is known. */
  constructor(options: MemoryClientOptions = {}) {
    this.#settings = resolveSettings(options);
    this.#media = this.#createMediaSource(this.#settings);
    this.#mediaUrls = new MediaUrlCache(this.#media);
  }

  /**
   * All memories of the account, newest first, without transcripts. See section 4.1 of the specification.
   *
   * @throws {AuthenticationError} where the key is not accepted; every other failure as {@link isMemoryApiError} says.
   *
   * @example
   * ```ts
   * const memories = await client.listMemories();
   * for (const { id, name, started_at } of memories) console.log(started_at, id, name);
   * ```
   */
  async listMemories(options: RequestOptions = {}): Promise<ListedMemory[]> {
    return this.#read('listMemories', { action: 'list memories' }, options);
  }

  /**
   * One memory, with its transcript and summary once it is processed. See section 4.2 of the specification.
   *
   * @throws {MemoryNotFoundError} where it does not exist or belongs to another account.
   * @throws {ConfigurationError} where no URL can carry the id, such as an empty one; nothing is sent.
   *
   * @example
   * ```ts
   * const { summary, transcript } = await client.getMemory('mem_1');
   * console.log(summary?.quick_summary);
   * for (const { speaker, text } of transcript?.segments ?? []) console.log(`${speaker}: ${text}`);
   * ```
   */
  async getMemory(memoryId: string, options: RequestOptions = {}): Promise<Memory> {
    return this.#read('getMemory', { action: 'get memory', memoryId }, options);
  }

  /**
   * The memory once it is processed: looks at it until `is_processing` is false. See section 3 of the specification.
   *
   * A recording without speech is processed too, and may have neither transcript nor summary. Failures that a call would
   * repeat are looked past until `maxWait`; any other ends the wait at once.
   *
   * @throws {ProcessingTimeoutError} past `maxWait`; it has the memory as last seen.
   * @throws {MemoryNotFoundError} where the memory does not exist or belongs to another account.
   *
   * @example
   * ```ts
   * const processed = await client.waitForMemory('mem_1', { maxWait: 600_000 });
   * console.log(processed.summary?.quick_summary);
   * ```
   */
  async waitForMemory(memoryId: string, options: WaitOptions = {}): Promise<Memory> {
    return waitForMemory(this.#source(new Set()), memoryId, options);
  }

  /**
   * Each of several memories as it is processed, with one request for all of them a round, and one for each at its end.
   *
   * An id that is not found, fails or times out is an outcome like the others and does not end the wait for them; a
   * failure of the list that a call would not repeat is thrown. Each id counts once, however often it is given.
   *
   * @example
   * ```ts
   * for await (const outcome of client.waitForMemories(['mem_1', 'mem_2'])) {
   *   if (outcome.status === 'processed') console.log(outcome.memory.summary?.quick_summary);
   *   else console.warn(outcome.memoryId, outcome.status, outcome.error.message);
   * }
   * ```
   */
  waitForMemories(memoryIds: Iterable<string>, options: WaitOptions = {}): AsyncGenerator<WaitOutcome, void, void> {
    return waitForMemories(this.#source(new Set()), memoryIds, options);
  }

  /**
   * The changes of the account's memories as they are seen: one request a look, whatever changes.
   *
   * Failures that a call would repeat are told to `onError` and looked past; any other ends the watch. What happens
   * and is undone between two looks is not seen.
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
  watchMemories(options: WatchOptions = {}): MemoryWatch {
    return new ListWatch(this.#source(), options);
  }

  /**
   * A URL that plays the media, or null where the memory has none.
   *
   * It is remembered, and read anew once it has less than `minimumLifetime` to live; what is freshly read is returned
   * however short it lives. What was read with one key is never given out for another; with `auth: 'none'` or headers of
   * the call nothing is remembered. The URL is a secret: it works without a key.
   *
   * @throws {InvalidResponseError} where it is neither http nor https.
   * @throws {MemoryNotFoundError} where the memory does not exist or belongs to another account.
   * @see Section 2.1.1 of the specification.
   *
   * @example
   * ```ts
   * const audio = await client.mediaUrl('mem_1', 'audio', { minimumLifetime: 600_000 });
   * if (audio) console.log(`It plays until ${audio.expiresAt.toISOString()}.`);
   * ```
   */
  async mediaUrl(memoryId: string, kind: MediaKind, options: MediaUrlOptions = {}): Promise<MediaUrl | null> {
    return this.#mediaUrls.get({ memoryId, kind: checkMediaKind(kind, 'get a media URL') }, options);
  }

  /**
   * The media as a stream, which goes on where it was when the connection breaks or the URL expires.
   *
   * Every byte is one of the same object, or the stream fails. The key is never sent to the storage. Nothing ends a
   * download that goes on, however long it takes.
   *
   * @throws {MediaUnavailableError} where the memory has no such media.
   * @throws {MediaDownloadError} where the storage refuses or keeps failing, or the object has changed; so does the body.
   * @see Section 2.1.1 of the specification.
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
  async openMedia(memoryId: string, kind: MediaKind, options: OpenMediaOptions = {}): Promise<MediaDownload> {
    return openMedia(this.#media, { memoryId, kind: checkMediaKind(kind, 'download media') }, options);
  }

  /**
   * A client with some options changed; undefined keeps this client's. Nothing is shared between the two.
   *
   * `headers` and `hooks` given here replace this client's as a whole, while the headers of a single call are added to
   * those of its client.
   *
   * @throws {ConfigurationError} where an option cannot be used.
   *
   * @example
   * ```ts
   * const nightly = client.withOptions({ totalTimeout: 600_000, retries: 5 });
   * const sameMemories = await nightly.listMemories();
   * ```
   */
  withOptions(overrides: Partial<MemoryClientOptions>): MemoryClient {
    return createClient(overrideOptions(this.#settings, overrides));
  }

  /** What may be shown of a client; the key may not. */
  toJSON(): { baseUrl: string; auth: string } {
    const { baseUrl, auth } = this.#settings;
    return { baseUrl, auth };
  }

  /** @internal */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `MemoryClient ${JSON.stringify(this)}`;
  }

  /** The reads of this client; those that belong together share the keys that they use, and show none of them. */
  #source(apiKeys?: Set<string>): PollSource {
    return {
      baseUrl: this.#settings.baseUrl,
      runtime: globalRuntime,
      redact: (text) => redact(text, apiKeys ?? []),
      listMemories: (options) => this.#read('listMemories', { action: 'list memories', apiKeys }, options),
      getMemory: (memoryId, options) => this.#read('getMemory', { action: 'get memory', memoryId, apiKeys }, options),
    };
  }

  #createMediaSource(settings: ClientSettings): MediaSource {
    const { apiKey, fetch } = settings;
    return {
      runtime: globalRuntime,
      apiKeys: typeof apiKey === 'string' ? [apiKey] : [],
      send: (request) => (fetch ?? globalThis.fetch)(request),
      lookUpKey: (options) => lookUpKey(settings, options, globalRuntime),
      readMediaUrl: (target, options, whole) => this.#readMediaUrl(target, options, whole),
    };
  }

  async #readMediaUrl(
    { memoryId, kind }: MediaTarget,
    options: RequestOptions,
    whole?: MediaCall,
  ): Promise<MediaReading> {
    const call = this.#prepare('getMemory', { action: 'get memory', memoryId, ...whole }, options);
    const memory = await readOperation('getMemory', call);
    const info = responseInfo(memory);
    const url: unknown = memory[`${kind}_url`];
    const mediaUrl = typeof url === 'string' && info ? { url, expiresAt: localExpiry(url, info) } : null;
    return { mediaUrl, userId: memory.user_id, apiKey: call.apiKey };
  }

  async #read<Id extends OperationId>(
    operation: Id,
    target: ReadTarget,
    options: RequestOptions,
  ): Promise<ResponseOf<Id>> {
    return readOperation(operation, this.#prepare(operation, target, options));
  }

  /** What is refused here ends as any call does: with one `onEnd`. */
  #prepare(operation: OperationId, target: ReadTarget, options: RequestOptions): Call {
    const { method, path } = operations[operation];
    const runtime = globalRuntime;
    try {
      const action = operation === 'getMemory' ? 'get a memory' : target.action;
      const settings = overrideSettings(this.#settings, options, action);
      const signal = new OptionChecks(action).signal(options.signal);
      // Only where the path has a place for it; the id is checked there, whatever it is.
      const filledPath = path.replace('{memory_id}', () => encodeMemoryId(target.memoryId as string));
      const url = requestUrl(settings.baseUrl, filledPath);
      return createCall({ ...target, operation, method, url }, { settings, signal, runtime });
    } catch (error) {
      const settings = this.#settings;
      const url = settings.baseUrl.replace(/\/$/, '') + path;
      endCall(createCall({ ...target, operation, method, url }, { settings, signal: undefined, runtime }), { error });
      throw error;
    }
  }
}

/** Were it named within itself, its bundled form would be `_MemoryClient`. */
function createClient(options: MemoryClientOptions): MemoryClient {
  return new MemoryClient(options);
}

function checkMediaKind(kind: MediaKind, action: string): MediaKind {
  return new OptionChecks(action).choice('kind', kind, mediaKinds);
}
