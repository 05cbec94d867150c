import type { Evidence } from '../conformance-report.ts';
import type { Reader } from '../reading/create-reader.ts';
import { isObject } from '../reading/memory-value.ts';
import type { Answer } from '../session/answer.ts';
import type { ApiRequest } from '../session/api-request.ts';
import { SkippedError } from '../session/unanswered.ts';
import { evidence } from './rule.ts';

/** Compares an error with its row of section 7. That its body has a detail at all is the business of rule 7. */
export function judgeError(answer: Answer, status: number, detail: string): Evidence | undefined {
  const expected = `${status} with the detail "${detail}"`;
  if (answer.status !== status) return evidence(answer, expected);
  if (!hasDetail(answer)) throw new SkippedError('the error has no detail that could be compared (see 7)');
  return detailOf(answer) === detail ? undefined : evidence(answer, expected);
}

/** What an error should be. */
export interface ExpectedError {
  status: number;
  detail: string;
}

/** Makes the requests one after the other; the first whose answer is wrong counts. */
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

/** Whether the body is an Error object (section 2.5). */
export function hasDetail(answer: Answer): boolean {
  return typeof detailOf(answer) === 'string';
}

function detailOf({ json }: Answer): unknown {
  return isObject(json) ? json.detail : undefined;
}
