import { MemoryStoreError } from '../records/memory-store-error.ts';
import { idProblem } from '../records/storable-text.ts';

/** Checks the hash, so that a key itself is never stored by mistake, and the id and the expiry date. */
export function assertApiKey(apiKey: { keyId: string; keyHash: string; expiresAt?: Date | undefined }): void {
  const idIssue = idProblem(apiKey.keyId);
  if (idIssue !== undefined) throw refusal(`keyId ${idIssue}`, 'Use what createApiKey returned');
  const name = JSON.stringify(apiKey.keyId);
  if (!/^[0-9a-f]{64}$/.test(apiKey.keyHash)) {
    throw refusal(`the hash of ${name} is not a SHA-256 hash in hexadecimal form`, 'Pass hashApiKey(key)');
  }
  const { expiresAt } = apiKey;
  if (expiresAt !== undefined && !(expiresAt instanceof Date && Number.isFinite(expiresAt.getTime()))) {
    throw refusal(`expiresAt of ${name} is not a valid date`, 'Pass a valid Date, or leave it out');
  }
}

export function keyTakenError(keyId: string): MemoryStoreError {
  return refusal(`the key of ${JSON.stringify(keyId)} is already stored under another id`, 'Create a new key');
}

function refusal(reason: string, advice: string): MemoryStoreError {
  return new MemoryStoreError('invalid_api_key', `Failed to store an API key: ${reason}. ${advice}.`);
}
