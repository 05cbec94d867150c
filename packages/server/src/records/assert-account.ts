import { MemoryStoreError } from './memory-store-error.ts';
import { idProblem, textProblem } from './storable-text.ts';

/** Rejects an account that some store could not hold. */
export function assertAccount({ userId, name }: { userId: string; name?: string | undefined }): void {
  const problem = fieldProblem('user id', idProblem(userId)) ?? fieldProblem('name', textProblem(name ?? ''));
  if (problem === undefined) return;
  throw new MemoryStoreError(
    'invalid_account',
    `Failed to store account ${JSON.stringify(userId)}: because its ${problem}. Choose another one.`,
  );
}

function fieldProblem(field: string, problem: string | undefined): string | undefined {
  return problem && `${field} ${problem}`;
}
