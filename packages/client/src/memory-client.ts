import type { ListedMemory, MediaKind, Memory } from '@memory-read/contract';
import { mediaKinds } from '@memory-read/contract/fields';
import type { OperationId, operations } from '@memory-read/contract/operations';
import { redact } from '@memory-read/contract/redaction';
import { locate, located } from './call-site.ts';
import type { ApiKeyProvider, MemoryClientOptions, RequestOptions } from './client-options.ts';
import { requestUrl } from './configuration/base-url.ts';
import {
  type ClientSettings,
  overrideOptions,
  overrideSettings,
  resolveSettings,
} from './configuration/client-settings.ts';
import { OptionChecks } from './configuration/option-checks.ts';
import { oneOf } from './configuration/option-kinds.ts';
import { ConfigurationError } from './errors/errors.ts';
import { lookUpKey } from './media/look-up-key.ts';
import { localExpiry } from './media/media-expiry.ts';
import type { MediaDownload, MediaUrl, MediaUrlOptions, OpenMediaOptions } from './media/media-options.ts';
import { isMediaAllowed } from './media/media-origins.ts';
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
import { createWatchState } from './polling/watch-state.ts';
import { endCall, type ResponseOf, readOperation } from './read-operation.ts';
import { responseInfo } from './response-info.ts';
import { type Call, type CallTarget, createCall, errorContext } from './transport/call.ts';
import { proxyHint } from './transport/proxy-hint.ts';
import { globalRuntime } from './transport/runtime.ts';
import { isObject } from './validation/shape.ts';

/** The paths of the contract. Its table of operations also holds the words of the OpenAPI document, which no bundle needs. */
const paths: { readonly [Id in OperationId]: (typeof operations)[Id]['path'] } = {
  listMemories: '/v1/memories',
  getMemory: '/v1/memories/{memory_id}',
};

/** Returns whether it is a client itself, not a proxy of one. */
let isClient: (value: unknown) => boolean;

type ReadTarget = Pick<CallTarget, 'action' | 'memoryId' | 'apiKeys' | 'startedAt' | 'site'>;

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
export class MemoryClient {
  static {
    isClient = (value) => isObject(value) && #settings in value;
  }

  readonly #settings: ClientSettings;
  readonly #media: MediaSource;
  readonly #mediaUrls: MediaUrlCache;
  /** The client's key, or the last one of its function. Not even the error of a call with another key may show it. */
  #ownKeys: readonly string[] = [];

  /**
   * Creates a client. It sends no request before you call a method.
   *
   * @throws a {@link ConfigurationError} if an option is invalid, or the base URL or the API key is missing.
   */
  constructor(options: MemoryClientOptions = {}) {
    const settings = resolveSettings(options);
    const { apiKey } = settings;
    const hide = (key: unknown) => {
      if (typeof key === 'string') this.#ownKeys = [key];
    };
    // The result is passed on as it is: waiting for it here would delay it.
    const watched = (provider: ApiKeyProvider) => () => {
      const key = provider();
      Promise.resolve(key).then(hide, () => {});
      return key;
    };
    hide(apiKey);
    this.#settings = typeof apiKey === 'function' ? { ...settings, apiKey: watched(apiKey) } : settings;
    this.#media = this.#createMediaSource(this.#settings);
    this.#mediaUrls = new MediaUrlCache(this.#media);
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
  async listMemories(options: RequestOptions = {}): Promise<ListedMemory[]> {
    checkClient(this, 'listMemories');
    return this.#read('listMemories', { action: 'list memories', site: new Error() }, options);
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
  async getMemory(memoryId: string, options: RequestOptions = {}): Promise<Memory> {
    checkClient(this, 'getMemory');
    return this.#read('getMemory', { action: 'get memory', memoryId, site: new Error() }, options);
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
  async waitForMemory(memoryId: string, options: WaitOptions = {}): Promise<Memory> {
    checkClient(this, 'waitForMemory');
    return waitForMemory(this.#source(new Set()), memoryId, options);
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
  waitForMemories(memoryIds: Iterable<string>, options: WaitOptions = {}): AsyncGenerator<WaitOutcome, void, void> {
    if (!isClient(this)) return refuseIteration('waitForMemories');
    return waitForMemories(this.#source(new Set()), memoryIds, options);
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
  watchMemories(options: WatchOptions = {}): MemoryWatch {
    if (!isClient(this)) return refuseIteration('watchMemories');
    return new ListWatch(this.#source(), options);
  }

  /**
   * Returns a signed URL of the media; null if the memory has none. See section 2.1.1 of the specification.
   *
   * The client caches the URL and reads a fresh one if less than `minimumLifetime` is left. A fresh URL is returned
   * regardless of its lifetime. The cache is separate for each API key. With `auth: 'none'` or with `headers` in the
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
  async mediaUrl(memoryId: string, kind: MediaKind, options: MediaUrlOptions = {}): Promise<MediaUrl | null> {
    checkClient(this, 'mediaUrl');
    const site = new Error();
    const target = { memoryId, kind: checkMediaKind(kind, 'get a media URL'), site };
    return located(this.#mediaUrls.get(target, options), site);
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
  async openMedia(memoryId: string, kind: MediaKind, options: OpenMediaOptions = {}): Promise<MediaDownload> {
    checkClient(this, 'openMedia');
    const site = new Error();
    const target = { memoryId, kind: checkMediaKind(kind, 'download media'), site };
    return located(openMedia(this.#media, target, options), site);
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
    checkClient(this, 'withOptions');
    const Client = this.constructor as new (options: MemoryClientOptions) => this;
    return new Client(overrideOptions(this.#settings, overrides));
  }

  /** Returns what a log may show of the client: never the API key. */
  toJSON(): { baseUrl: string; auth: string } {
    checkClient(this, 'toJSON');
    const { baseUrl, auth } = this.#settings;
    return { baseUrl, auth };
  }

  /** @internal */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `MemoryClient ${JSON.stringify(this)}`;
  }

  /**
   * Returns the reads of this client. Reads that belong together share one set of keys, so that no error shows any of
   * them.
   */
  #source(apiKeys?: Set<string>): PollSource {
    const site = new Error();
    return {
      site,
      baseUrl: this.#settings.baseUrl,
      maxRetryAfter: this.#settings.maxRetryAfter,
      runtime: globalRuntime,
      redact: (text) => redact(text, [...(apiKeys ?? []), ...this.#ownKeys]),
      listMemories: (options) => {
        const mode = options.validation ?? this.#settings.validation;
        const validation = mode === 'strict' ? 'skip' : mode;
        return this.#read('listMemories', { action: 'list memories', apiKeys, site }, { ...options, validation });
      },
      getMemory: (memoryId, options) =>
        this.#read('getMemory', { action: 'get memory', memoryId, apiKeys, site }, options),
    };
  }

  #createMediaSource(settings: ClientSettings): MediaSource {
    const { baseUrl, fetch, maxRetryAfter, mediaOrigins } = settings;
    return {
      runtime: globalRuntime,
      maxRetryAfter,
      apiKeys: () => this.#ownKeys,
      proxyHint: (url) => (fetch ? '' : proxyHint(url)),
      allows: (url) => isMediaAllowed(url, requestUrl(baseUrl, ''), mediaOrigins),
      fetch,
      lookUpKey: (options) => lookUpKey(settings, options, globalRuntime),
      readMediaUrl: (target, options, sharedCall) => this.#readMediaUrl(target, options, sharedCall),
      forgetMediaUrl: (target) => this.#mediaUrls.forget(target),
    };
  }

  async #readMediaUrl(
    { memoryId, kind, site }: MediaTarget,
    options: RequestOptions,
    sharedCall?: MediaCall,
  ): Promise<MediaReading> {
    const call = this.#prepare('getMemory', { action: 'get memory', memoryId, site, ...sharedCall }, options);
    const memory = await readOperation('getMemory', call);
    const info = responseInfo(memory);
    const url: unknown = memory[`${kind}_url`];
    const mediaUrl = typeof url === 'string' && info ? { url, expiresAt: localExpiry(url, info) } : null;
    return { mediaUrl, userId: memory.user_id, apiKey: call.apiKey, context: () => errorContext(call, info) };
  }

  async #read<Id extends OperationId>(
    operation: Id,
    target: ReadTarget,
    options: RequestOptions,
  ): Promise<ResponseOf<Id>> {
    return readOperation(operation, this.#prepare(operation, target, options));
  }

  /** Creates the call. If the id or an option is invalid, it throws and emits exactly one `onEnd`, as any failed call does. */
  #prepare(operation: OperationId, target: ReadTarget, options: RequestOptions): Call {
    const path = paths[operation];
    const runtime = globalRuntime;
    const ownTarget = { ...target, operation, ownKeys: this.#ownKeys };
    try {
      const action = operation === 'getMemory' ? 'get a memory' : target.action;
      const settings = overrideSettings(this.#settings, options, action);
      // A function keeps `$` in an id from being read as a replacement pattern.
      const filledPath = path.replace('{memory_id}', () => encodeMemoryId(target.memoryId as string));
      const url = requestUrl(settings.baseUrl, filledPath);
      return createCall({ ...ownTarget, url }, { settings, signal: settings.signal, runtime });
    } catch (error) {
      const settings = this.#settings;
      const url = settings.baseUrl.replace(/\/$/, '') + path;
      const call = createCall({ ...ownTarget, url }, { settings, signal: undefined, runtime });
      endCall(call, { error: locate(error, target.site) });
      throw error;
    }
  }
}

function checkClient(client: unknown, method: string): void {
  if (!isClient(client)) throw withoutClient(method);
}

function withoutClient(method: string): ConfigurationError {
  return new ConfigurationError(
    `Failed to call ${method}: it was called without its client. Call it as client.${method}(), not through a variable or a proxy.`,
  );
}

/** Returns an iterator whose first `next()` throws. The error is created here, for the frames of the caller. */
function refuseIteration(method: string) {
  const error = withoutClient(method);
  // biome-ignore lint/correctness/useYield: it ends before it yields
  const refused = (async function* (): AsyncGenerator<never, void, void> {
    throw error;
  })();
  return Object.assign(refused, { state: createWatchState(), close: async () => {} });
}

function checkMediaKind(kind: MediaKind, action: string): MediaKind {
  return new OptionChecks(action).value('kind', kind, oneOf(...mediaKinds));
}
