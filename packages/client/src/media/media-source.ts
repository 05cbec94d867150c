import type { MediaKind } from '@memory-read/contract';
import { redact } from '@memory-read/contract/redaction';
import type { CallSite } from '../call-site.ts';
import type { RequestOptions, SendRequest } from '../client-options.ts';
import type { ErrorContext } from '../errors/errors.ts';
import type { CallTarget } from '../transport/call.ts';
import type { Runtime } from '../transport/runtime.ts';
import type { KeyLookUp } from './look-up-key.ts';
import type { MediaUrl } from './media-options.ts';

/** One media file of a memory. */
export interface MediaTarget {
  readonly memoryId: string;
  readonly kind: MediaKind;
  /** Where the caller called the client. */
  readonly site: CallSite;
}

/** Returns the name of a media file for messages. */
export function describeMedia({ memoryId, kind }: MediaTarget, secrets: Iterable<string>): string {
  return `the ${kind} of memory ${JSON.stringify(redact(memoryId, secrets))}`;
}

/** A URL that was just read from the API, if the memory has one, with its account and the key of the request. */
export interface MediaReading {
  readonly mediaUrl: MediaUrl | null;
  readonly userId: unknown;
  readonly apiKey: string | undefined;
  /** Returns the request and its response, for errors about the URL. */
  context(): ErrorContext;
}

/** The call that a reading belongs to: when it began, and where the keys of the reading are collected. */
export type MediaCall = Pick<CallTarget, 'startedAt' | 'apiKeys'>;

/** The parts of a client that media use. */
export interface MediaSource {
  readonly runtime: Runtime;
  /** The option of the client. */
  readonly maxRetryAfter: number | undefined;
  /** The client's key, or the last one that its function has returned. No error may show it. */
  apiKeys(): readonly string[];
  /** Whether media may be downloaded from a URL. */
  allows(url: URL): boolean;
  /** Returns the advice about an unused proxy variable; an empty text if none applies to the URL. */
  proxyHint(url: string): string;
  /** The option of the client. */
  readonly fetch: SendRequest | undefined;
  lookUpKey(options: RequestOptions): Promise<KeyLookUp>;
  readMediaUrl(target: MediaTarget, options: RequestOptions, sharedCall?: MediaCall): Promise<MediaReading>;
  /** The storage has refused a URL of this media file: an older one is not returned from a cache any more. */
  forgetMediaUrl(target: MediaTarget): void;
}
