import type { MediaKind } from '@memory-read/contract';
import { mediaKinds } from '@memory-read/contract/fields';
import { redact } from '@memory-read/contract/redaction';
import type { CallSite } from '../call-site.ts';
import { type Client, stateOf } from '../client.ts';
import type { RequestOptions, SendRequest } from '../client-options.ts';
import { requestUrl } from '../configuration/base-url.ts';
import { checkValue } from '../configuration/check-options.ts';
import { oneOf } from '../configuration/option-kinds.ts';
import type { ErrorContext } from '../errors/errors.ts';
import { read } from '../read-memories.ts';
import { responseInfo } from '../response-info.ts';
import { type Call, errorContext } from '../transport/call.ts';
import { proxyHint } from '../transport/proxy-hint.ts';
import { localExpiry } from './media-expiry.ts';
import type { MediaUrl } from './media-options.ts';
import { isMediaAllowed } from './media-origins.ts';

/** One media file of a memory. */
export interface MediaTarget {
  readonly memoryId: string;
  readonly kind: MediaKind;
  /** Where the caller called the client. */
  readonly site: CallSite;
}

const mediaKind = /* @__PURE__ */ oneOf(...mediaKinds);

export function checkMediaKind(action: string, { kind }: MediaTarget): void {
  checkValue(action, 'the kind', kind, mediaKind);
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

/**
 * Reads the URL of a media file from the API.
 *
 * @param startedAt - when the call began, by the runtime's uptime. Default: now.
 * @param onOpen - gets the call before anything is sent.
 */
export async function readMediaUrl(
  client: Client,
  { memoryId, kind, site }: MediaTarget,
  options: RequestOptions,
  startedAt?: number,
  onOpen?: (call: Call) => void,
): Promise<MediaReading> {
  let call: Call | undefined;
  const memory = await read(client, { operation: 'getMemory', memoryId, site, startedAt }, options, (opened) => {
    call = opened;
    onOpen?.(opened);
  });
  const { apiKey } = call as unknown as Call;
  const info = responseInfo(memory);
  const url: unknown = memory[`${kind}_url`];
  const mediaUrl = typeof url === 'string' && info ? { url, expiresAt: localExpiry(url, info) } : null;
  return { mediaUrl, userId: memory.user_id, apiKey, context: () => errorContext(call as Call, info) };
}

/** The parts of a client that a download uses. */
export interface MediaSource {
  /** The option of the client. */
  readonly maxRetryAfter: number | undefined;
  /** The last keys of the client. No error may show them. */
  readonly apiKeys: Iterable<string>;
  /** The option of the client. */
  readonly fetch: SendRequest | undefined;
  /** Whether media may be downloaded from a URL. */
  allows(url: URL): boolean;
  /** Returns the advice about an unused proxy variable; an empty text if none applies to the URL. */
  proxyHint(url: string): string;
  readMediaUrl(signal: AbortSignal): Promise<MediaReading>;
  /** The storage has refused a URL: an older one is not returned from a cache any more. */
  forgetMediaUrl(): void;
}

export function createMediaSource(client: Client, target: MediaTarget): MediaSource {
  const state = stateOf(client, 'openMedia');
  const { baseUrl, fetch, maxRetryAfter, mediaOrigins } = state.settings;
  return {
    maxRetryAfter,
    apiKeys: state.apiKeys,
    fetch,
    proxyHint: (url) => (fetch ? '' : proxyHint(url)),
    allows: (url) => isMediaAllowed(url, requestUrl(baseUrl, ''), mediaOrigins),
    readMediaUrl: async (signal) => readMediaUrl(client, target, { signal }),
    forgetMediaUrl: () => state.forgetMediaUrl?.(target),
  };
}
