import { parseUrl } from '@memory-read/contract/base-url';
import { quietly } from '@memory-read/contract/event-loop';
import { redact } from '@memory-read/contract/redaction';
import { countOf } from '../count-of.ts';
import {
  type ErrorContext,
  MediaDownloadError,
  type MediaDownloadFailure,
  MediaUnavailableError,
} from '../errors/errors.ts';
import { isMemoryApiError } from '../errors/is-memory-api-error.ts';
import {
  backoff,
  isTransient,
  isTransientStatus,
  MAXIMUM_DOWNLOAD_FAILURES,
  pauseFor,
} from '../policy/failure-policy.ts';
import { faultCode } from '../transport/cause-chain.ts';
import { runtime, timedOut, withTimeout } from '../transport/deadline.ts';
import { headersOf } from '../transport/header-of.ts';
import { checkChunk, throwMisuse } from '../transport/response-body.ts';
import { parseRetryAfter, retryAfterOf } from '../transport/retry-after.ts';
import { safeHeaders } from '../transport/safe-headers.ts';
import type { OpenMediaOptions } from './media-options.ts';
import { describeMedia, type MediaSource, type MediaTarget } from './media-source.ts';
import { connectionFault, type Fault, requestStorage, type StorageResponse } from './storage-request.ts';
import { isStrongEtag, type MediaPart, mayBeExpired, readPart } from './storage-response.ts';

/** The options of a download, complete and checked. */
export interface TransferOptions extends Pick<OpenMediaOptions, 'onProgress'> {
  readonly headersTimeout: number;
  readonly stallTimeout: number;
  readonly maxRetryAfter: number;
  readonly maxBytes: number;
  readonly start: { readonly byte: number; readonly etag?: string };
}

interface OpenPart extends Pick<StorageResponse, 'reader' | 'end'> {
  readonly part: MediaPart;
}

const remedies: Record<MediaDownloadFailure, string> = {
  refused: 'Check that the storage accepts the URLs of the API, and its certificate',
  interrupted: 'Check the network, and resume the download later',
  changed: 'Start the download again from the beginning',
  not_resumable: 'Start the download again from the beginning',
  invalid: 'Report it to the operators of the API and the storage',
  forbidden_origin: 'Check the API, or add the origin to mediaOrigins',
  too_large: 'Raise maxBytes to download it',
};

/** Downloads one object with as many requests and URLs as needed, and never a byte of another object. */
export class MediaTransfer {
  readonly #source: MediaSource;
  readonly #target: MediaTarget;
  readonly #options: TransferOptions;
  readonly #signal: AbortSignal;
  readonly #secrets: Set<string>;
  /** The object of the first response; before it, the requested one. */
  #object: Omit<MediaPart, 'etag'> & { readonly etag?: string | null | undefined };
  #position: number;
  #open: OpenPart | undefined;
  #url: string | undefined;
  #userId: unknown;
  #isExpired = true;
  /** Whether the memory was read again since the last byte. */
  #isRenewed = false;
  /** Attempts in a row without a byte, including the current one. */
  #failures = 0;
  #attempts = 0;
  /** The last response of the storage. */
  #response: Response | undefined;
  /** Why the last attempt returned no bytes, or stopped. */
  #fault: Fault | undefined;

  constructor(source: MediaSource, target: MediaTarget, { options, signal }: TransferContext) {
    const { byte, etag } = options.start;
    this.#source = source;
    this.#target = target;
    this.#options = options;
    this.#signal = signal;
    this.#secrets = new Set(source.apiKeys);
    this.#position = byte;
    this.#object = { etag, contentType: null, size: null, end: null, isEndKnown: false };
  }

  /** Returns what the first response of the storage says about the object. */
  async open(): Promise<MediaPart> {
    this.#open = await this.#connect();
    return this.#open.part;
  }

  /** Returns the next bytes; undefined at the end of the object. */
  async read(): Promise<Uint8Array | undefined> {
    for (;;) {
      this.#open ??= await this.#connect();
      const { part } = this.#open;
      const received = await this.#receive(this.#open);
      // An empty chunk does not count as progress.
      if (received && 'byteLength' in received) {
        if (received.byteLength > 0) return this.#accept(received, part);
        continue;
      }
      this.end();
      const { size } = this.#object;
      const isWhole = size === null ? received === undefined && part.end === null : this.#position === size;
      if (isWhole) return undefined;
      if (this.#position !== part.end)
        await this.#recover(received ?? { problem: 'the connection to the storage was closed early' });
    }
  }

  /** Returns what the error of a time limit says about the download. */
  get context(): ErrorContext & { readonly cause?: MediaDownloadError } {
    if (this.#attempts === 0) return {};
    const failure = this.#failure('interrupted', this.#fault?.problem ?? '', this.#fault);
    const { request, responseHeaders } = failure;
    return { request, responseHeaders, ...(this.#fault && { cause: failure }) };
  }

  /** Closes the connection. */
  end(): void {
    this.#open?.end();
    this.#open = undefined;
  }

  async #connect(): Promise<OpenPart> {
    for (;;) {
      this.#failures += 1;
      const outcome = (this.#isExpired ? await this.#renew() : undefined) ?? (await this.#attempt());
      if ('part' in outcome) return outcome;
      await this.#recover(outcome);
    }
  }

  /** Reads the memory for a fresh URL. Only the first reading fails at once; later ones are retried. */
  async #renew(): Promise<Fault | undefined> {
    const isFirst = this.#url === undefined;
    try {
      const reading = await this.#source.readMediaUrl(this.#signal);
      const { mediaUrl, userId, apiKey, context } = reading;
      if (apiKey !== undefined) this.#secrets.add(apiKey);
      if (!isFirst && userId !== this.#userId)
        throw this.#failure('changed', 'the API key now belongs to another account');
      if (mediaUrl === null) throw this.#unavailable(context());
      const url = parseUrl(mediaUrl.url);
      if (!url || !isUsable(url)) throw this.#failure('invalid', 'the API returned a URL that cannot be requested');
      if (!this.#source.allows(url))
        throw this.#failure('forbidden_origin', `media from ${redact(url.origin, this.#secrets)} is not allowed`);
      this.#url = mediaUrl.url;
      // A storage may repeat a signature in any form. Short values are words such as `audio/wav`.
      for (const [value = ''] of url.search.slice(1).matchAll(/[^&=~;]{16,}/g)) {
        this.#secrets.add(value);
        this.#secrets.add(new URLSearchParams(`=${value}`).get('') as string);
      }
      this.#userId = userId;
      this.#isExpired = false;
      this.#isRenewed = !isFirst;
      return undefined;
    } catch (error) {
      this.#signal.throwIfAborted();
      if (isFirst || !isMemoryApiError(error) || !isTransient(error)) throw error;
      return { problem: 'the API returned no fresh URL', cause: error, retryAfter: retryAfterOf(error) };
    }
  }

  async #attempt(): Promise<OpenPart | Fault> {
    const { headersTimeout, maxBytes } = this.#options;
    const { etag, size } = this.#object;
    const requested = { byte: this.#position, etag, size };
    const url = this.#url as string;
    this.#attempts += 1;
    this.#response = undefined;
    const [signal, secrets] = [this.#signal, this.#secrets];
    const action = this.#action();
    const opened = await requestStorage(this.#source, { url, requested, action, headersTimeout, signal, secrets });
    if ('problem' in opened) return opened;
    const { response, reader, end } = opened;
    this.#response = response;
    const part = readPart(response, requested);
    const isTooLarge = part !== undefined && 'size' in part && (part.size ?? 0) > maxBytes;
    // The body of a 416 is not part of the object.
    if (part === undefined || 'reason' in part || isTooLarge || response.status === 416) end();
    if (part === undefined) return this.#classify(response);
    if ('reason' in part) throw this.#failure(part.reason, part.problem);
    if (isTooLarge) throw this.#tooLarge();
    if (this.#object.isEndKnown && !part.isEndKnown && part.size === null) {
      end();
      throw this.#failure('invalid', 'the storage no longer marks the end of the file');
    }
    this.#object = part;
    return { part, reader, end };
  }

  /** Handles a response without bytes: a fresh URL or a pause may help, or the download fails. */
  #classify(response: Response): Fault {
    const { status } = response;
    const problem = `the storage answered ${status}`;
    this.#isExpired = mayBeExpired(status);
    if (this.#isExpired) this.#source.forgetMediaUrl();
    if (this.#isExpired ? this.#isRenewed : !isTransientStatus(status)) throw this.#failure('refused', problem);
    return this.#isExpired ? { problem } : { problem, retryAfter: parseRetryAfter(headersOf(response), runtime.now()) };
  }

  async #receive({ reader }: OpenPart): Promise<Uint8Array | Fault | undefined> {
    const { stallTimeout } = this.#options;
    try {
      const result = reader && (await withTimeout(reader.read(), stallTimeout, this.#signal));
      if (result === timedOut) return { problem: `the storage sent no bytes for ${stallTimeout} ms` };
      return result?.value === undefined ? undefined : checkChunk(result.value);
    } catch (error) {
      this.#signal.throwIfAborted();
      throwMisuse(error, this.#action(), { secrets: this.#secrets });
      return connectionFault('the connection to the storage was interrupted', error, this.#secrets);
    }
  }

  #accept(chunk: Uint8Array, { end, size }: MediaPart): Uint8Array {
    const position = this.#position + chunk.byteLength;
    if (position > (end ?? size ?? position))
      throw this.#failure('invalid', 'the storage sent more bytes than it announced');
    if (position > this.#options.maxBytes) throw this.#tooLarge();
    this.#position = position;
    this.#failures = 0;
    this.#isRenewed = false;
    quietly(() => this.#options.onProgress?.({ bytesReceived: position, size }));
    return chunk;
  }

  /** Waits for the next attempt, or fails if no attempt is left. */
  async #recover(fault: Fault): Promise<void> {
    const { problem, cause, isHopeless, retryAfter = 0 } = fault;
    this.#fault = fault;
    if (this.#position > 0 && !isStrongEtag(this.#object.etag)) {
      const unproven = `${problem}, and without a strong ETag the download cannot be resumed`;
      throw this.#failure('not_resumable', unproven, { cause });
    }
    if (isHopeless) throw this.#failure('refused', problem, fault);
    if (this.#failures === MAXIMUM_DOWNLOAD_FAILURES) throw this.#failure('interrupted', problem, fault);
    const { maxRetryAfter } = this.#options;
    if (retryAfter > maxRetryAfter) {
      throw this.#failure(
        'interrupted',
        `${problem} and requested a pause of ${retryAfter} ms, which is longer than ${maxRetryAfter} ms`,
        { cause },
      );
    }
    // A fresh URL needs no pause.
    const pause = this.#isExpired && cause === undefined ? 0 : backoff(runtime.random, this.#failures);
    await runtime.sleep(pauseFor(pause, retryAfter, runtime.random), this.#signal);
  }

  #tooLarge(): MediaDownloadError {
    return this.#failure('too_large', `the file is larger than ${countOf(this.#options.maxBytes, 'byte')}`);
  }

  #failure(
    reason: MediaDownloadFailure,
    problem: string,
    { cause, hint = '' }: Pick<Fault, 'cause' | 'hint'> = {},
  ): MediaDownloadError {
    const { status = 0 } = this.#response ?? {};
    const url = redact(this.#url?.replace(/[?#].*/s, '') ?? '', this.#secrets);
    return new MediaDownloadError(`Failed to ${this.#action()}: ${problem}. ${remedies[reason]}${hint}.`, {
      reason,
      bytesReceived: this.#position,
      // Koa answers the visitors of an app with any status of an error.
      status: status >= 400 ? status : undefined,
      responseHeaders: this.#response && safeHeaders(headersOf(this.#response), this.#secrets),
      faultCode: faultCode(cause),
      request: { method: 'GET', url, attempts: this.#attempts },
      cause,
    });
  }

  #unavailable(context: ErrorContext): MediaUnavailableError {
    const { kind, memoryId } = this.#target;
    const problem = `Failed to ${this.#action()}: the memory has no ${kind}. Choose media whose URL is not null.`;
    return new MediaUnavailableError(problem, { ...context, kind, memoryId: redact(memoryId, this.#secrets) });
  }

  /** What the caller wants, for messages. */
  #action(): string {
    return `download ${describeMedia(this.#target, this.#secrets)}`;
  }
}

/** The options of a transfer, and the signal that aborts it. */
export interface TransferContext {
  readonly options: TransferOptions;
  readonly signal: AbortSignal;
}

function isUsable({ protocol, username, password }: URL): boolean {
  return /^https?:$/.test(protocol) && !(username + password);
}
