import type { CliProcess } from './cli-process.ts';
import { toCommandTerms } from './command-terms.ts';

/** Returns whether the message says what failed, why, and what to do. A stack adds nothing to it. */
export function explainsItself(error: unknown): error is Error {
  return String(Object(error).message).startsWith('Failed to ');
}

/** Returns the message of an error for users, with the message of its cause if the client threw it. */
export function explainFailure(process: CliProcess, error: Error): string {
  const { cause } = error;
  const isExplained = explainsItself(cause) && 'code' in cause;
  const reason = isExplained ? ` The last failure: ${explainAlone(process, cause)}` : '';
  return explainAlone(process, error) + reason;
}

/** Returns the message of an error after which a watch repeats its poll. */
export function explainRepeated(process: CliProcess, error: Error): string {
  return `${explainFailure(process, error).replace(', then run the command again', '')} The watch continues.`;
}

function explainAlone(process: CliProcess, error: Error): string {
  const reason = reasonOf(error);
  // The name of a memory in the message is quoted as in JSON, and can contain a colon.
  const [action] = /^Failed to (?:[^":]|"(?:[^"\\]|\\.)*")*/.exec(error.message) ?? [];
  return reason === undefined || action === undefined ? toCommandTerms(process, error.message) : `${action}: ${reason}`;
}

/** Fields of the errors of the client, whose classes would load the client. */
interface ClientError {
  code?: unknown;
  reason?: unknown;
  status?: unknown;
  faultCode?: string | undefined;
  request?: { url: string } | undefined;
}

/** Returns the reason and the advice of failures for which commands have more information than the client. */
function reasonOf(error: Error): string | undefined {
  const { code, reason, status, faultCode, request } = error as ClientError;
  // The base URL can have a path with the same name, so the last one counts.
  const baseUrl = request?.url.replace(/\/v1\/memories(?!.*\/v1\/memories).*$/s, '');
  if (code === 'authentication' && baseUrl) {
    return `${baseUrl} refuses the key. Run memory-read login, or check --api-key or MEMORY_API_KEY.`;
  }
  if (code === 'connection' && reason === 'unreachable' && baseUrl) {
    const fault = faultCode === undefined ? '' : ` (${faultCode})`;
    return `${baseUrl} cannot be reached${fault}. Check the URL and the network, then run the command again.`;
  }
  if (code === 'not_found' && status === 404) return 'there is no memory with this id. See memory-read list.';
  return undefined;
}
