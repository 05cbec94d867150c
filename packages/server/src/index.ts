/**
 * The reference server of the Memory Read API: handlers over a store, keys and a media signer that you can replace.
 *
 * @packageDocumentation
 */

// The API

export {
  createMemoryApi,
  type MemoryApi,
  type MemoryApiErrorContext,
  type MemoryApiOptions,
  type MemoryApiRequestEvent,
} from './create-memory-api.ts';

export type { PlainBody, PlainResponse } from './http/plain-response.ts';

// Stores

export { createInMemoryStore } from './adapters/in-memory/create-in-memory-store.ts';
export { compareMemories } from './records/compare-memories.ts';
export { countLostDigits } from './records/count-lost-digits.ts';
export { InvalidMemoryRecordError, type MemoryRecordIssue } from './records/invalid-memory-record-error.ts';
export { MemoryStoreError, type MemoryStoreErrorCode } from './records/memory-store-error.ts';
export { toStoredMemory } from './records/to-stored-memory.ts';

// Keys

export { apiKeyAuthenticator, hashApiKey } from './api-keys/api-key-authenticator.ts';
export { createApiKey } from './api-keys/create-api-key.ts';

// Media

export {
  createHmacMediaSigner,
  type HmacMediaSigner,
  type HmacMediaSignerOptions,
} from './media/create-hmac-media-signer.ts';
export { createMediaHost, type MediaHost, type MediaHostOptions } from './media/create-media-host.ts';
export type { MediaRefusalEvent } from './media/judge-media-url.ts';
export type { MediaCors } from './media/media-cors.ts';
export type { MediaSecret } from './media/media-keyring.ts';

// Ports

export type { ApiKeyInfo, ApiKeyStore } from './ports/api-key-store.ts';
export type { Authenticate, AuthenticateContext, KeyRefusal } from './ports/authenticate.ts';
export type { Clock } from './ports/clock.ts';
export type { MediaObject, MediaSource } from './ports/media-source.ts';
export type { MediaUrlSigner } from './ports/media-url-signer.ts';
export type { MemoryStore, StoredMemory } from './ports/memory-store.ts';
export type { Account, MemoryStoreAdmin } from './ports/memory-store-admin.ts';
