import { refuseOptions } from '@memory-read/contract/options';
import { escapeControls } from '@memory-read/contract/redaction';
import type { ApiKeyStore } from '../ports/api-key-store.ts';
import { MemoryStoreError } from '../records/memory-store-error.ts';
import { idProblem } from '../records/value-problems.ts';

type PutApiKey = Parameters<ApiKeyStore['putApiKey']>[0];

/** `createApiKey` returns `key` beside the id and the hash. It is not stored. */
const names = ['keyId', 'keyHash', 'userId', 'active', 'expiresAt', 'label', 'createdAt', 'key'];

/** Checks the hash and the label, so that a key itself is never stored by mistake, and the id and the dates. */
export function assertApiKey(apiKey: Omit<PutApiKey, 'userId'>): void {
  const refused = refuseOptions(apiKey, names);
  if (refused) throw refusal(refused.reason, refused.advice);
  const idIssue = idProblem(apiKey.keyId);
  if (idIssue !== undefined) throw refusal(`keyId ${idIssue}`, 'Use what createApiKey returned');
  const name = JSON.stringify(apiKey.keyId);
  if (!/^[0-9a-f]{64}$/.test(apiKey.keyHash)) {
    throw refusal(`the hash of ${name} is not a SHA-256 hash in hexadecimal form`, 'Pass hashApiKey(key)');
  }
  for (const field of ['expiresAt', 'createdAt'] as const) {
    const date = apiKey[field];
    if (date !== undefined && !(date instanceof Date && Number.isFinite(date.getTime()))) {
      throw refusal(`${field} of ${name} is not a valid date`, 'Pass a valid Date, or leave it out');
    }
  }
  if (apiKey.active !== undefined && typeof apiKey.active !== 'boolean') {
    throw refusal(`active of ${name} is not a boolean`, 'Pass true or false, or leave it out');
  }
  const labelIssue = apiKey.label === undefined ? undefined : labelProblem(apiKey.label);
  if (labelIssue !== undefined) throw refusal(`the label of ${name} ${labelIssue}`, 'Pass another label, or none');
}

function labelProblem(label: string): string | undefined {
  if (typeof label !== 'string') return 'is not a string';
  if (label.trim() === '' || label.length > 100) return 'does not have 1 to 100 characters';
  if (escapeControls(label) !== label || label.includes('\n')) return 'contains a control character';
  return label.includes('mrk_') ? 'contains an API key' : undefined;
}

export function keyTakenError(keyId: string): MemoryStoreError {
  return refusal(`the key of ${JSON.stringify(keyId)} is already stored under another id`, 'Create a new key');
}

function refusal(reason: string, advice: string): MemoryStoreError {
  return new MemoryStoreError('invalid_api_key', `Failed to store an API key: ${reason}. ${advice}.`);
}
