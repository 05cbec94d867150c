import type { MediaKind } from '@memory-read/contract';
import type { RequestOptions, SendRequest } from '../client-options.ts';
import type { CallTarget } from '../transport/call.ts';
import type { Runtime } from '../transport/runtime.ts';
import type { KeyLookUp } from './look-up-key.ts';
import type { MediaUrl } from './media-options.ts';

/** One of the media of a memory. */
export interface MediaTarget {
  readonly memoryId: string;
  readonly kind: MediaKind;
}

/** A URL fresh from the API, if the memory has one, whose it is, and the key that it was read with. */
export interface MediaReading {
  readonly mediaUrl: MediaUrl | null;
  readonly userId: unknown;
  readonly apiKey: string | undefined;
}

/** What a reading is a part of: when that began, and where the keys go that the reading is sent with. */
export type MediaCall = Pick<CallTarget, 'startedAt' | 'apiKeys'>;

/** What media need of a client. */
export interface MediaSource {
  readonly runtime: Runtime;
  /** The client's key where it is known: no error may show it. */
  readonly apiKeys: readonly string[];
  /** Sends a request as it is, to any host. */
  readonly send: SendRequest;
  lookUpKey(options: RequestOptions): Promise<KeyLookUp>;
  readMediaUrl(target: MediaTarget, options: RequestOptions, whole?: MediaCall): Promise<MediaReading>;
}
