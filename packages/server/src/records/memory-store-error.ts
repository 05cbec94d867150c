/** Stable name of the reason for a {@link MemoryStoreError}. Minor versions may add codes. */
export type MemoryStoreErrorCode =
  | 'unknown_account'
  | 'id_taken'
  | 'invalid_account'
  | 'invalid_api_key'
  | 'memories_moved';

/** Thrown when a store cannot write records or continue a list. If the call was a write, nothing has been stored. */
export class MemoryStoreError extends Error {
  override readonly name = 'MemoryStoreError';
  /** Stable name of the reason. */
  readonly code: MemoryStoreErrorCode;
  /** Id that another account owns, if `code` is `id_taken`. */
  readonly memoryId: string | undefined;

  /** Creates the error. Its message is passed unchanged. */
  constructor(code: MemoryStoreErrorCode, message: string, { memoryId }: { memoryId?: string | undefined } = {}) {
    super(message);
    this.code = code;
    this.memoryId = memoryId;
  }
}

export function unknownAccountError(userId: string): MemoryStoreError {
  return new MemoryStoreError(
    'unknown_account',
    `Failed to write to account ${JSON.stringify(userId)}: the account does not exist. Store it with putAccount first.`,
  );
}

export function idTakenError(memoryId: string): MemoryStoreError {
  return new MemoryStoreError(
    'id_taken',
    `Failed to store memory ${JSON.stringify(memoryId)}: another account owns this id. Choose another id.`,
    { memoryId },
  );
}

/** Returns the error of a paged list during which a memory changed its position. */
export function memoriesMovedError(userId: string): MemoryStoreError {
  return new MemoryStoreError(
    'memories_moved',
    `Failed to list the memories of account ${JSON.stringify(userId)}: the start times of some changed ` +
      'during the read, so the list could miss or repeat them. List them again.',
  );
}
