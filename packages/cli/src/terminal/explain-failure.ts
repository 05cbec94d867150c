import { toCommandTerms } from './command-terms.ts';

/** Returns the message of an error for users, with the message of its cause if the client threw it. */
export function explainFailure(error: Error): string {
  const { cause } = error;
  const isExplained = cause instanceof Error && 'code' in cause && cause.message.startsWith('Failed to ');
  const reason = isExplained ? ` The last failure: ${cause.message}` : '';
  return toCommandTerms(error.message) + toCommandTerms(reason);
}
