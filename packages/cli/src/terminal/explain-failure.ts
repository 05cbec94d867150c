import { toCommandTerms } from './command-terms.ts';

/** What failed, why and what to do, with the failure behind it where a client names one. */
export function explainFailure(error: Error): string {
  const { cause } = error;
  const isExplained = cause instanceof Error && 'code' in cause && cause.message.startsWith('Failed to ');
  const reason = isExplained ? ` The last failure: ${cause.message}` : '';
  return toCommandTerms(error.message) + toCommandTerms(reason);
}
