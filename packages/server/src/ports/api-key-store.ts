/** What is kept of an API key: never the key itself. */
export interface ApiKeyInfo {
  keyId: string;
  userId: string;
  active: boolean;
  expiresAt?: Date | undefined;
}

/** Where API keys are kept, by the SHA-256 of the key in hex. */
export interface ApiKeyStore {
  /** The key with this hash, also when it is revoked or over: the authenticator judges. */
  findApiKey(keyHash: string): Promise<ApiKeyInfo | undefined>;
  /**
   * Stores a key of an existing account, or replaces the one with the same `keyId`.
   *
   * It is active and without expiry by default.
   *
   * @throws MemoryStoreError `unknown_account`; `invalid_api_key` when the hash is none or stored under another id.
   */
  putApiKey(apiKey: {
    keyId: string;
    keyHash: string;
    userId: string;
    active?: boolean | undefined;
    expiresAt?: Date | undefined;
  }): Promise<void>;
  /** `false` when there is no such key. */
  revokeApiKey(keyId: string): Promise<boolean>;
  /** All keys, or those of one account, by `keyId`. */
  listApiKeys(userId?: string): Promise<ApiKeyInfo[]>;
}
