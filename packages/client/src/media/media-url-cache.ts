import type { MediaKind } from '@memory-read/contract';
import { located } from '../call-site.ts';
import { type Client, type ClientState, hideKey, stateOf } from '../client.ts';
import type { RequestOptions } from '../client-options.ts';
import { currentApiKey } from '../configuration/api-key.ts';
import { callTable } from '../configuration/call-options.ts';
import { checkOptions, type OptionTable } from '../configuration/check-options.ts';
import type { CallSettings } from '../configuration/client-settings.ts';
import { flag, interval } from '../configuration/option-kinds.ts';
import { type ErrorContext, InvalidResponseError, type MemoryApiError, RequestTimeoutError } from '../errors/errors.ts';
import { isMemoryApiError } from '../errors/is-memory-api-error.ts';
import type { Call } from '../transport/call.ts';
import {
  describeTimeout,
  linkSignal,
  rejectOnAbort,
  runtime,
  throwIfAborted,
  timedOut,
  timeLimit,
  withTimeout,
} from '../transport/deadline.ts';
import type { MediaUrl, MediaUrlOptions } from './media-options.ts';
import { checkMediaKind, type MediaReading, type MediaTarget, readMediaUrl } from './media-source.ts';

const action = 'get a media URL';
const mediaUrlTable: OptionTable = { ...callTable, minimumLifetime: interval, fresh: flag };

/**
 * Returns a signed URL of the media; null if the memory has none. See section 2.1.1 of the specification.
 *
 * The client caches it. It rejects with the errors of `MemoryClient.mediaUrl`. Treat the URL as a secret.
 *
 * @example
 * ```ts
 * const audio = await mediaUrl(client, 'mem_1', 'audio');
 * console.log(audio !== null && audio.expiresAt > new Date());
 * ```
 */
export function mediaUrl(
  client: Client,
  memoryId: string,
  kind: MediaKind,
  options: MediaUrlOptions = {},
): Promise<MediaUrl | null> {
  const target = { memoryId, kind, site: new Error() };
  return located(getMediaUrl(client, target, options), target.site);
}

const caches = new WeakMap<ClientState, MediaUrlCache>();

async function getMediaUrl(client: Client, target: MediaTarget, options: MediaUrlOptions): Promise<MediaUrl | null> {
  const state = stateOf(client, 'mediaUrl');
  checkMediaKind(action, target);
  const cache = caches.get(state) ?? new MediaUrlCache(client, state);
  caches.set(state, cache);
  return cache.get(target, options);
}

/** One reading, shared by all callers that wait for the same URL. */
interface Flight {
  readonly reading: Promise<MediaReading>;
  /** The key that it was sent with last. */
  apiKey(): string | undefined;
  waiting: number;
  end(): void;
}

interface Caller {
  /** The current key, whose URLs may be returned; undefined if no key is sent. */
  readonly apiKey: string | undefined;
  readonly options: RequestOptions;
  readonly settings: CallSettings;
  /** By the runtime's uptime. */
  readonly startedAt: number;
  /** Shares a request only with callers that need a fresh URL too: another may have begun before the URL failed. */
  readonly fresh: boolean;
}

/** A URL, and when it was read by the runtime's uptime. */
interface CachedUrl extends MediaUrl {
  readonly readAt: number;
}

type ErrorClass = new (message: string, init: ErrorContext) => MemoryApiError;

const MAXIMUM_URLS = 1_000;
/** Maximum lifetime in milliseconds, by section 8 of the specification. */
const LIFETIME = 3_600_000;

type Media = Pick<MediaTarget, 'memoryId' | 'kind'>;

/** Caches media URLs until they expire. */
class MediaUrlCache {
  readonly #client: Client;
  readonly #state: ClientState;
  readonly #urls = new Map<string, CachedUrl>();
  readonly #flights = new Map<string, Flight>();

  constructor(client: Client, state: ClientState) {
    this.#client = client;
    this.#state = state;
    state.forgetMediaUrl = (media) => this.#forget(media);
  }

  async get(target: MediaTarget, given: MediaUrlOptions): Promise<MediaUrl | null> {
    const { minimumLifetime = 300_000, fresh = false, ...options } = checkOptions(action, mediaUrlTable, given);
    const startedAt = runtime.uptime();
    const settings = { ...this.#state.settings, ...(options as Partial<CallSettings>) };
    throwIfAborted(options.signal);
    const apiKey = await this.#currentKey({ settings, startedAt }, options.signal);
    const known = !fresh && isCacheable(apiKey, options) && this.#urls.get(nameOf(target, apiKey));
    const isLasting = known && this.#lifetime(known) >= minimumLifetime;
    const mediaUrl = isLasting
      ? known
      : checkUrl(await this.#read(target, { apiKey, options, settings, startedAt, fresh }));
    return mediaUrl && { url: mediaUrl.url, expiresAt: new Date(mediaUrl.expiresAt) };
  }

  /** Removes the URLs of a media file, whatever key they were read with. */
  #forget(target: Media): void {
    const end = nameOf(target, '').replace('[""', '');
    for (const name of this.#urls.keys()) if (name.endsWith(end)) this.#urls.delete(name);
  }

  async #currentKey(
    timed: Pick<Caller, 'settings' | 'startedAt'>,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    const { auth, apiKey: source } = this.#state.settings;
    if (auth === 'none') return undefined;
    if (typeof source !== 'function') return source;
    const { milliseconds, ...expired } = timeLimit(timed);
    const apiKey = await withTimeout(currentApiKey(source, action), milliseconds, signal);
    if (apiKey === timedOut) {
      const late = describeTimeout({ ...expired, isKeyPending: true }, '');
      throw new RequestTimeoutError(`Failed to ${action}: ${late}`, expired);
    }
    hideKey(this.#state, apiKey);
    return apiKey;
  }

  /** Milliseconds until it expires: at most an hour after its reading, whatever the clocks say. */
  #lifetime({ expiresAt, readAt }: CachedUrl): number {
    const left = expiresAt.getTime() - runtime.now().getTime();
    return Math.min(left, readAt + LIFETIME - runtime.uptime());
  }

  async #read(target: MediaTarget, caller: Caller): Promise<MediaReading> {
    const { apiKey, options, startedAt, fresh } = caller;
    const { signal, ...requestOptions } = options;
    // A caller with other timeouts or headers does not share a request that was started without them.
    const flightName = JSON.stringify([nameOf(target, apiKey), requestOptions, fresh]);
    // Without a key, cookies or the fetch option decide whose request it is: no caller can join it.
    const flight = apiKey === undefined ? undefined : this.#flights.get(flightName);
    const shared = flight && (await this.#share(flight, caller));
    // The apiKey function may have returned the key of another account for the shared request.
    if (shared && shared.apiKey === apiKey) return shared;
    const own = this.#start(flightName, target, { options: requestOptions, startedAt });
    return join(own, rejectOnAbort(own.reading, signal));
  }

  /** Returns the result of a shared reading; undefined if it fails for a reason of another caller, or takes too long. */
  async #share(flight: Flight, caller: Caller): Promise<MediaReading | undefined> {
    const { startedAt, settings, options } = caller;
    const { totalTimeout } = settings;
    const milliseconds = totalTimeout && Math.max(0, startedAt + totalTimeout - runtime.uptime());
    const shared = await join(flight, withTimeout(flight.reading, milliseconds, options.signal)).catch(
      rethrowSharedFailure(flight, caller),
    );
    return shared === timedOut ? undefined : shared;
  }

  #start(name: string, target: MediaTarget, { options, startedAt }: Pick<Caller, 'options' | 'startedAt'>): Flight {
    const link = linkSignal(undefined);
    let call: Call | undefined;
    const reading = readMediaUrl(this.#client, target, { ...options, signal: link.signal }, startedAt, (opened) => {
      call = opened;
    });
    const end = () => {
      link.abort();
      if (this.#flights.get(name) === flight) this.#flights.delete(name);
    };
    const flight: Flight = { reading, apiKey: () => call?.apiKey, waiting: 0, end };
    this.#flights.set(name, flight);
    reading.then((result) => isCacheable(result.apiKey, options) && this.#store(target, result)).then(end, end);
    return flight;
  }

  /** Removes the oldest URL first: it is the first to expire. */
  #store(target: MediaTarget, { mediaUrl, apiKey }: MediaReading): void {
    const name = nameOf(target, apiKey);
    this.#urls.delete(name);
    if (mediaUrl && isWebUrl(mediaUrl.url)) this.#urls.set(name, { ...mediaUrl, readAt: runtime.uptime() });
    const [oldest] = this.#urls.keys();
    if (oldest !== undefined && this.#urls.size > MAXIMUM_URLS) this.#urls.delete(oldest);
  }
}

/** If headers or cookies may identify the caller, a URL is returned only to the callers of its request. */
function isCacheable(apiKey: string | undefined, { headers }: RequestOptions): boolean {
  return apiKey !== undefined && Object.keys(headers ?? {}).length === 0;
}

/** Another scheme may be `javascript:`. A URL without a scheme is relative to a page; browsers skip control characters. */
function isWebUrl(url: string): boolean {
  return !/^(?!https?:)[a-z][\w+.-]*:/i.test(url.replace(/[^!-\uffff]/g, ''));
}

function checkUrl({ mediaUrl, context }: MediaReading): MediaUrl | null {
  if (!mediaUrl || isWebUrl(mediaUrl.url)) return mediaUrl;
  throw new InvalidResponseError(
    'Failed to get a media URL: the API returned a URL that is neither http nor https. Report it to the operator of the API.',
    { ...context(), reason: 'structure' },
  );
}

/** Rethrows a failure that this caller would have met too: not another caller's key, timeout or abort. */
function rethrowSharedFailure(flight: Flight, { apiKey, options }: Caller): (reason: unknown) => undefined {
  return (reason) => {
    const isForAnother = flight.apiKey() !== apiKey;
    const isShared = isMemoryApiError(reason) && !['timeout', 'configuration'].includes(reason.code) && !isForAnother;
    if (options.signal?.aborted) throw reason;
    // Each caller gets an error of its own, with its own frames.
    if (isShared) throw new (reason.constructor as ErrorClass)(reason.message, reason);
    return undefined;
  };
}

/** Waits with others for a reading. The last caller that stops waiting aborts the request. */
async function join<Value>(flight: Flight, wait: Promise<Value>): Promise<Value> {
  flight.waiting += 1;
  try {
    return await wait;
  } finally {
    flight.waiting -= 1;
    if (flight.waiting === 0) flight.end();
  }
}

/** Contains the key itself, so that no two accounts can share a URL; the map is private and never shown. */
function nameOf({ memoryId, kind }: Media, apiKey: string | undefined): string {
  return JSON.stringify([apiKey, memoryId, kind]);
}
