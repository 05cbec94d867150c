/**
 * The reference server of the Memory Read API: handlers over a store, keys and a media signer that you can replace.
 *
 * @packageDocumentation
 */

// Stores
export { createInMemoryStore } from './adapters/in-memory/create-in-memory-store.ts';
// Keys
export { apiKeyAuthenticator } from './api-keys/api-key-authenticator.ts';
export { createApiKey } from './api-keys/create-api-key.ts';
export { hashApiKey } from './api-keys/hash-api-key.ts';
// The API
export {
  createMemoryApi,
  type MemoryApi,
  type MemoryApiErrorContext,
  type MemoryApiOptions,
  type MemoryApiRequestEvent,
} from './create-memory-api.ts';
// Ports
export type { ApiKeyInfo, ApiKeyStore } from './ports/api-key-store.ts';
export type { Authenticate } from './ports/authenticate.ts';
export type { Clock } from './ports/clock.ts';
export type { MediaObject, MediaSource } from './ports/media-source.ts';
export type { MediaUrlSigner } from './ports/media-url-signer.ts';
export type { MemoryStore, StoredMemory } from './ports/memory-store.ts';
export type { Account, MemoryStoreAdmin } from './ports/memory-store-admin.ts';
export { compareMemories } from './records/compare-memories.ts';
export { InvalidMemoryRecordError } from './records/invalid-memory-record-error.ts';
export { MemoryStoreError } from './records/memory-store-error.ts';
export { toStoredMemory } from './records/to-stored-memory.ts';
