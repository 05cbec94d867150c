/** An API key as it is stored. The key itself is never stored. */
export interface ApiKeyInfo {
  /** Id of the key, unique in the store. */
  keyId: string;
  /** Account that owns the key. */
  userId: string;
  /** False if the key was revoked. */
  active: boolean;
  /** Expiry time of the key. `undefined` means that it does not expire. */
  expiresAt?: Date | undefined;
  /** Label of the key, 1 to 100 characters. `undefined` if the key has no label. */
  label?: string | undefined;
  /** Time of creation of the key. `undefined` if the key was stored without it. */
  createdAt?: Date | undefined;
}

/** Port for API keys. A store identifies a key by its SHA-256 in hexadecimal. */
export interface ApiKeyStore {
  /** Returns the key with this hash, even if it is revoked or expired, or `undefined`. The authenticator decides. */
  findApiKey(keyHash: string): Promise<ApiKeyInfo | undefined>;
  /**
   * Stores a key of an existing account, or replaces the key with the same `keyId`.
   *
   * Default of `active`: `true`. Without `expiresAt`, the key does not expire. A `label` has 1 to 100 characters, no
   * control character, and is not a key.
   *
   * @throws {@link MemoryStoreError} with code `unknown_account` if there is no such account.
   * @throws {@link MemoryStoreError} with code `invalid_api_key` if the hash, the label or a date is invalid, or the
   * hash is stored under another id.
   */
  putApiKey(apiKey: {
    keyId: string;
    keyHash: string;
    userId: string;
    active?: boolean | undefined;
    expiresAt?: Date | undefined;
    label?: string | undefined;
    createdAt?: Date | undefined;
  }): Promise<void>;
  /** Revokes a key. Returns `false` if there is no such key. */
  revokeApiKey(keyId: string): Promise<boolean>;
  /** Returns all keys, or those of one account, ordered by `keyId`. */
  listApiKeys(userId?: string): Promise<ApiKeyInfo[]>;
}
