import type { OperationId } from '@memory-read/contract/operations';
import { notifyHook } from './client-hooks.ts';
import { InvalidResponseError } from './errors/invalid-response-error.ts';
import { type ClientOperation, clientOperations, type ResponseOf } from './operations.ts';
import { rememberResponse } from './response-info.ts';
import type { Answer } from './transport/answer.ts';
import { type Call, callEvent, elapsedTime, errorContext, failureMessage, shownMemoryId } from './transport/call.ts';
import { requestJson } from './transport/request-json.ts';
import { parseServerDate } from './transport/retry-after.ts';
import { checkResponse } from './validation/check-response.ts';
import type { IssueList } from './validation/findings.ts';

/** Runs a call to its end: attempts, validation, response info, and the one `onEnd`. */
export async function readOperation<Id extends OperationId>(operation: Id, call: Call): Promise<ResponseOf<Id>> {
  const { hooks } = call.settings;
  try {
    const answer = await requestJson(call);
    const value = validate(clientOperations[operation], call, answer);
    rememberResponse(value, describeResponse(call, answer));
    notifyHook(hooks, 'onEnd', { ...callEvent(call), elapsed: elapsedTime(call) });
    return value;
  } catch (error) {
    notifyHook(hooks, 'onEnd', { ...callEvent(call), elapsed: elapsedTime(call), error });
    throw error;
  }
}

function validate<Id extends OperationId>(
  operation: ClientOperation<Id>,
  call: Call,
  { body, head }: Answer,
): ResponseOf<Id> {
  const { broken, drift } = checkResponse(body, operation, call.settings.validation);
  if (broken.issues.length > 0) throw structureError(call, head.requestId, broken);
  if (drift.issues.length > 0) {
    notifyHook(call.settings.hooks, 'onDrift', { callId: call.id, memoryId: shownMemoryId(call), ...drift });
  }
  return body as ResponseOf<Id>;
}

function structureError(call: Call, requestId: string | undefined, broken: IssueList): InvalidResponseError {
  const [first] = broken.issues;
  const place = first === undefined || first.path.length === 0 ? 'the body' : first.path.join('.');
  const more = broken.issues.length > 1 ? `, and ${broken.issues.length - 1} more` : '';
  return new InvalidResponseError(
    failureMessage(
      call,
      `the response breaks the specification at ${place} (${first?.message}${more})`,
      "Report it to the API, or pass validation: 'warn' to read it all the same.",
    ),
    { ...errorContext(call, requestId), reason: 'structure', ...broken },
  );
}

function describeResponse(call: Call, { head }: Answer) {
  return { ...head, serverDate: parseServerDate(head.headers), attempts: call.attempt };
}
