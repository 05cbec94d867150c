import { MemoryStoreError } from './memory-store-error.ts';
import { idProblem, textProblem } from './value-problems.ts';

/** Rejects an account that some store could not hold. */
export function assertAccount({ userId, name }: { userId: string; name?: string | undefined }): void {
  assertField(userId, 'user id', idProblem(userId));
  assertField(userId, 'name', textProblem(name ?? ''));
}

function assertField(userId: string, field: string, problem: string | undefined): void {
  if (problem === undefined) return;
  throw new MemoryStoreError(
    'invalid_account',
    `Failed to store account ${JSON.stringify(userId)}: its ${field} ${problem}. Choose another ${field}.`,
  );
}
