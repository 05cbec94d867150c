/** Why a store refused to write, or to go on with a list. New codes may come in a minor version. */
export type MemoryStoreErrorCode =
  | 'unknown_account'
  | 'id_taken'
  | 'invalid_account'
  | 'invalid_api_key'
  | 'memories_moved';

/** What a store refuses for a reason outside of the record itself. Where it was to write, nothing has been stored. */
export class MemoryStoreError extends Error {
  override readonly name = 'MemoryStoreError';
  readonly code: MemoryStoreErrorCode;
  /** The id that is taken, of `id_taken`. */
  readonly memoryId: string | undefined;

  constructor(code: MemoryStoreErrorCode, message: string, { memoryId }: { memoryId?: string | undefined } = {}) {
    super(message);
    this.code = code;
    this.memoryId = memoryId;
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
    { memoryId },
  );
}

/** For a list in pages during which a memory changed its place in the order. */
export function memoriesMovedError(userId: string): MemoryStoreError {
  return new MemoryStoreError(
    'memories_moved',
    `Failed to list the memories of account ${JSON.stringify(userId)}: because some were given another start ` +
      'meanwhile, so the list could miss or repeat them. List again.',
  );
}
