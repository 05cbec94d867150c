import type { RequestOptions } from '../client-options.ts';
import { checkInterval, checkNames, checkOptions } from '../configuration/option-checks.ts';
import { InvalidResponseError } from '../errors/invalid-response-error.ts';
import { isMemoryApiError } from '../errors/is-memory-api-error.ts';
import { linkSignal } from '../transport/link-signal.ts';
import { rejectOnAbort } from '../transport/runtime.ts';
import type { KeyLookUp } from './look-up-key.ts';
import type { MediaUrl, MediaUrlOptions } from './media-options.ts';
import type { MediaReading, MediaSource, MediaTarget } from './media-source.ts';
import { inTime, late } from './with-timeout.ts';

/** One reading for everyone who waits for the same. */
interface Flight {
  readonly reading: Promise<MediaReading>;
  /** Every key that it was sent with so far. */
  readonly apiKeys: ReadonlySet<string>;
  waiting: number;
  end(): void;
}

interface Asker extends KeyLookUp {
  readonly options: MediaUrlOptions;
  /** By the runtime's uptime. */
  readonly startedAt: number;
}

/** A URL, and when it was read, by a clock that never jumps. */
interface KnownUrl extends MediaUrl {
  readonly readAt: number;
}

const MAXIMUM_URLS = 1_000;
/** Milliseconds, by section 8 of the specification. */
const LIFETIME = 3_600_000;

/** Media URLs that still work. */
export class MediaUrlCache {
  readonly #source: MediaSource;
  readonly #urls = new Map<string, KnownUrl>();
  readonly #flights = new Map<string, Flight>();

  constructor(source: MediaSource) {
    this.#source = source;
  }

  async get(target: MediaTarget, options: MediaUrlOptions): Promise<MediaUrl | null> {
    const { minimumLifetime = 300_000, ...requestOptions } = checkOptions(options);
    checkNames(options, ['minimumLifetime']);
    checkInterval('minimumLifetime', minimumLifetime);
    const startedAt = this.#source.runtime.uptime();
    const lookUp = await this.#source.lookUpKey(requestOptions);
    const { apiKey } = lookUp;
    const known = isKept(apiKey, options) ? this.#urls.get(nameOf(target, apiKey)) : undefined;
    const isLasting = known && this.#lifetime(known) >= minimumLifetime;
    const mediaUrl = isLasting ? known : await this.#read(target, { ...lookUp, options, startedAt });
    if (mediaUrl && !isWebUrl(mediaUrl.url)) throw refuseUrl();
    return mediaUrl && { url: mediaUrl.url, expiresAt: new Date(mediaUrl.expiresAt) };
  }

  /** Milliseconds that it still works: never longer than an hour from its reading, whatever the clocks say. */
  #lifetime({ expiresAt, readAt }: KnownUrl): number {
    const { now, uptime } = this.#source.runtime;
    return Math.min(expiresAt.getTime() - now().getTime(), readAt + LIFETIME - uptime());
  }

  async #read(target: MediaTarget, asker: Asker): Promise<MediaUrl | null> {
    const { apiKey, options, startedAt } = asker;
    const { signal, timeout, totalTimeout, retries, validation, headers } = options;
    const requestOptions = { timeout, totalTimeout, retries, validation, headers };
    // Whoever has other timeouts or headers does not share a reading that was begun without them.
    const flightName = JSON.stringify([nameOf(target, apiKey), requestOptions]);
    // Without a key it is the cookies or the fetch that know whose request it is: nobody can join it.
    const flight = apiKey === undefined ? undefined : this.#flights.get(flightName);
    const shared = flight && (await this.#share(flight, asker));
    // What the function of another caller gave for the request may be the key of another account.
    if (shared && shared.apiKey === apiKey) return shared.mediaUrl;
    const own = this.#start(flightName, target, { options: requestOptions, startedAt });
    return (await join(own, rejectOnAbort(own.reading, signal))).mediaUrl;
  }

  /** What another's reading brings; undefined where it ends in a way that is none of the asker's, or too late for them. */
  async #share(flight: Flight, asker: Asker): Promise<MediaReading | undefined> {
    const { runtime } = this.#source;
    const { startedAt, totalTimeout, options } = asker;
    const milliseconds = totalTimeout && Math.max(0, startedAt + totalTimeout - runtime.uptime());
    const patience = { runtime, signal: options.signal, milliseconds };
    const shared = await join(flight, inTime(flight.reading, patience)).catch(refuseFailureOf(flight, asker));
    return shared === late ? undefined : shared;
  }

  #start(name: string, target: MediaTarget, { options, startedAt }: Pick<Asker, 'options' | 'startedAt'>): Flight {
    const link = linkSignal(undefined);
    const apiKeys = new Set<string>();
    const reading = this.#source.readMediaUrl(target, { ...options, signal: link.signal }, { startedAt, apiKeys });
    const end = () => {
      link.abort();
      if (this.#flights.get(name) === flight) this.#flights.delete(name);
    };
    const flight: Flight = { reading, apiKeys, waiting: 0, end };
    this.#flights.set(name, flight);
    reading.then((result) => isKept(result.apiKey, options) && this.#remember(target, result)).then(end, end);
    return flight;
  }

  /** The oldest goes first: it is the first to expire. */
  #remember(target: MediaTarget, { mediaUrl, apiKey }: MediaReading): void {
    const name = nameOf(target, apiKey);
    this.#urls.delete(name);
    if (mediaUrl) this.#urls.set(name, { ...mediaUrl, readAt: this.#source.runtime.uptime() });
    const [oldest] = this.#urls.keys();
    if (oldest !== undefined && this.#urls.size > MAXIMUM_URLS) this.#urls.delete(oldest);
  }
}

/** Where headers or cookies may tell callers apart, a URL is for the callers of its request alone. */
function isKept(apiKey: string | undefined, { headers }: RequestOptions): boolean {
  return apiKey !== undefined && Object.keys(headers ?? {}).length === 0;
}

/** Another scheme may be `javascript:`. What has none is relative to a page; browsers skip control characters. */
function isWebUrl(url: string): boolean {
  return !/^(?!https?:)[a-z][\w+.-]*:/i.test(url.replace(/[^!-\uffff]/g, ''));
}

function refuseUrl(): InvalidResponseError {
  return new InvalidResponseError(
    'Failed to get a media URL: because it is neither http nor https. Report it to the API.',
    { reason: 'structure' },
  );
}

/** Passes a failure on to who would have met the same: not another's key, time, or abort. */
function refuseFailureOf({ apiKeys }: Flight, { apiKey, options }: Asker): (reason: unknown) => undefined {
  return (reason) => {
    const isForAnother = [...apiKeys].some((key) => key !== apiKey);
    const isShared = isMemoryApiError(reason) && reason.code !== 'timeout' && !isForAnother;
    if (options.signal?.aborted || isShared) throw reason;
    return undefined;
  };
}

/** The last one who gives up ends the request. */
async function join<Value>(flight: Flight, wait: Promise<Value>): Promise<Value> {
  flight.waiting += 1;
  try {
    return await wait;
  } finally {
    flight.waiting -= 1;
    if (flight.waiting === 0) flight.end();
  }
}

/** The key itself, so that no two accounts can ever meet; the map is private and never shown. */
function nameOf({ memoryId, kind }: MediaTarget, apiKey: string | undefined): string {
  return JSON.stringify([apiKey, memoryId, kind]);
}
