import { MemoryStoreError } from '../records/memory-store-error.ts';
import { idProblem } from '../records/storable-text.ts';

/** Checks the hash, so that a key itself is never stored by mistake, and the id and the expiry date. */
export function assertApiKey(apiKey: { keyId: string; keyHash: string; expiresAt?: Date | undefined }): void {
  const idIssue = idProblem(apiKey.keyId);
  if (idIssue !== undefined) throw refusal(`its id ${idIssue}`, 'Take all three from createApiKey');
  const name = JSON.stringify(apiKey.keyId);
  if (!/^[0-9a-f]{64}$/.test(apiKey.keyHash)) {
    throw refusal(`the hash of ${name} is no SHA-256 in hex`, 'Pass hashApiKey(key)');
  }
  const { expiresAt } = apiKey;
  if (expiresAt !== undefined && !(expiresAt instanceof Date && Number.isFinite(expiresAt.getTime()))) {
    throw refusal(`expiresAt of ${name} is no valid date`, 'Pass a valid Date or none');
  }
}

export function keyTakenError(keyId: string): MemoryStoreError {
  return refusal(`the key of ${JSON.stringify(keyId)} is stored under another id`, 'Create a new key');
}

function refusal(reason: string, advice: string): MemoryStoreError {
  return new MemoryStoreError('invalid_api_key', `Failed to store API key: because ${reason}. ${advice}.`);
}
