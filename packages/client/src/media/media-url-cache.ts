import type { RequestOptions } from '../client-options.ts';
import { OptionChecks } from '../configuration/option-checks.ts';
import { callNames } from '../configuration/option-names.ts';
import { type ErrorContext, InvalidResponseError, type MemoryApiError } from '../errors/errors.ts';
import { isMemoryApiError } from '../errors/is-memory-api-error.ts';
import { linkSignal } from '../transport/link-signal.ts';
import { rejectOnAbort } from '../transport/runtime.ts';
import { timedOut, withTimeout } from '../transport/with-timeout.ts';
import type { KeyLookUp } from './look-up-key.ts';
import type { MediaUrl, MediaUrlOptions } from './media-options.ts';
import type { MediaReading, MediaSource, MediaTarget } from './media-source.ts';

/** One reading, shared by all callers that wait for the same URL. */
interface Flight {
  readonly reading: Promise<MediaReading>;
  /** Every key that it has been sent with. */
  readonly apiKeys: ReadonlySet<string>;
  waiting: number;
  end(): void;
}

interface Caller extends KeyLookUp {
  readonly options: RequestOptions;
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

/** Caches media URLs until they expire. */
export class MediaUrlCache {
  readonly #source: MediaSource;
  readonly #urls = new Map<string, CachedUrl>();
  readonly #flights = new Map<string, Flight>();

  constructor(source: MediaSource) {
    this.#source = source;
  }

  async get(target: MediaTarget, given: MediaUrlOptions): Promise<MediaUrl | null> {
    const check = new OptionChecks('get a media URL');
    const names = [...callNames, 'minimumLifetime', 'fresh'];
    const { minimumLifetime = 300_000, fresh = false, ...options } = check.settle(given, names);
    const startedAt = this.#source.runtime.uptime();
    const lookUp = await this.#source.lookUpKey(options);
    const { apiKey } = lookUp;
    const known = !fresh && isCacheable(apiKey, options) ? this.#urls.get(nameOf(target, apiKey)) : undefined;
    const isLasting = known && this.#lifetime(known) >= minimumLifetime;
    const mediaUrl = isLasting ? known : checkUrl(await this.#read(target, { ...lookUp, options, startedAt, fresh }));
    return mediaUrl && { url: mediaUrl.url, expiresAt: new Date(mediaUrl.expiresAt) };
  }

  /** Removes the URLs of a media file, whatever key they were read with. */
  forget(target: MediaTarget): void {
    const end = nameOf(target, '').replace('[""', '');
    for (const name of this.#urls.keys()) if (name.endsWith(end)) this.#urls.delete(name);
  }

  /** Milliseconds until it expires: at most an hour after its reading, whatever the clocks say. */
  #lifetime({ expiresAt, readAt }: CachedUrl): number {
    const { now, uptime } = this.#source.runtime;
    return Math.min(expiresAt.getTime() - now().getTime(), readAt + LIFETIME - uptime());
  }

  async #read(target: MediaTarget, caller: Caller): Promise<MediaReading> {
    const { apiKey, options, startedAt, fresh } = caller;
    const { signal, ...requestOptions } = options;
    // A caller with other timeouts or headers does not share a request that was started without them.
    const flightName = JSON.stringify([nameOf(target, apiKey), { ...requestOptions, apiKey: undefined }, fresh]);
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
    const { runtime } = this.#source;
    const { startedAt, totalTimeout, options } = caller;
    const milliseconds = totalTimeout && Math.max(0, startedAt + totalTimeout - runtime.uptime());
    const timeoutOptions = { runtime, signal: options.signal, milliseconds };
    const shared = await join(flight, withTimeout(flight.reading, timeoutOptions)).catch(
      rethrowSharedFailure(flight, caller),
    );
    return shared === timedOut ? undefined : shared;
  }

  #start(name: string, target: MediaTarget, { options, startedAt }: Pick<Caller, 'options' | 'startedAt'>): Flight {
    const link = linkSignal(undefined);
    const apiKeys = new Set<string>();
    const reading = this.#source.readMediaUrl(target, { ...options, signal: link.signal }, { startedAt, apiKeys });
    const end = () => {
      link.abort();
      if (this.#flights.get(name) === flight) this.#flights.delete(name);
    };
    const flight: Flight = { reading, apiKeys, waiting: 0, end };
    this.#flights.set(name, flight);
    reading.then((result) => isCacheable(result.apiKey, options) && this.#store(target, result)).then(end, end);
    return flight;
  }

  /** Removes the oldest URL first: it is the first to expire. */
  #store(target: MediaTarget, { mediaUrl, apiKey }: MediaReading): void {
    const name = nameOf(target, apiKey);
    this.#urls.delete(name);
    if (mediaUrl && isWebUrl(mediaUrl.url))
      this.#urls.set(name, { ...mediaUrl, readAt: this.#source.runtime.uptime() });
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
function rethrowSharedFailure({ apiKeys }: Flight, { apiKey, options }: Caller): (reason: unknown) => undefined {
  return (reason) => {
    const isForAnother = [...apiKeys].some((key) => key !== apiKey);
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
function nameOf({ memoryId, kind }: MediaTarget, apiKey: string | undefined): string {
  return JSON.stringify([apiKey, memoryId, kind]);
}
