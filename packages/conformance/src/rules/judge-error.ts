import type { Evidence } from '../conformance-report.ts';
import type { Reader } from '../reading/create-reader.ts';
import { isObject } from '../reading/memory-value.ts';
import type { Answer } from '../session/answer.ts';
import type { ApiRequest } from '../session/api-request.ts';
import { SkippedError } from '../session/unanswered.ts';
import { evidence } from './rule.ts';

/** Compares an error with its row of section 7. Rule 7 checks that the body has a detail. */
export function judgeError(answer: Answer, status: number, detail: string): Evidence | undefined {
  const expected = `${status} with the detail "${detail}"`;
  if (answer.status !== status) return evidence(answer, expected);
  if (!hasDetail(answer)) throw new SkippedError('the error has no detail to compare (see 7)');
  return detailOf(answer) === detail ? undefined : evidence(answer, expected);
}

/** The expected error. */
export interface ExpectedError {
  status: number;
  detail: string;
}

/** Sends the requests in sequence, and returns the evidence of the first wrong answer. */
export async function judgeErrors(
  reader: Reader,
  requests: readonly ApiRequest[],
  { status, detail }: ExpectedError,
): Promise<Evidence | undefined> {
  for (const request of requests) {
    const found = judgeError(await reader.send(request), status, detail);
    if (found) return found;
  }
  return undefined;
}

/** Returns whether the body is an Error object (section 2.5). */
export function hasDetail(answer: Answer): boolean {
  return typeof detailOf(answer) === 'string';
}

function detailOf({ json }: Answer): unknown {
  return isObject(json) ? json.detail : undefined;
}
