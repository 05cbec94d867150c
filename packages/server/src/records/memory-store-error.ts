/** Why a store refused to write. New codes may come in a minor version. */
export type MemoryStoreErrorCode = 'unknown_account' | 'id_taken' | 'invalid_account' | 'invalid_api_key';

/** What a store refuses to write, for a reason outside of the record itself. Nothing has been stored. */
export class MemoryStoreError extends Error {
  override readonly name = 'MemoryStoreError';
  readonly code: MemoryStoreErrorCode;

  constructor(code: MemoryStoreErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export function unknownAccountError(userId: string): MemoryStoreError {
  return new MemoryStoreError(
    'unknown_account',
    `Failed to store for account ${JSON.stringify(userId)}: because there is no such account. Put the account first.`,
  );
}

export function idTakenError(memoryId: string): MemoryStoreError {
  return new MemoryStoreError(
    'id_taken',
    `Failed to store memory ${JSON.stringify(memoryId)}: because another account owns this id. Choose another id.`,
  );
}
