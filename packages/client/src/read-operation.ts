import { type OperationId, operations, type ResponseBodies } from '@memory-read/contract/operations';
import { notifyHook } from './client-hooks.ts';
import { InvalidResponseError } from './errors/invalid-response-error.ts';
import { attachResponseInfo, type ResponseInfo } from './response-info.ts';
import type { Answer } from './transport/answer.ts';
import { type Call, elapsedTime, emitEvent, errorContext, failureMessage, shownMemoryId } from './transport/call.ts';
import { requestJson } from './transport/request-json.ts';
import { parseServerDate } from './transport/retry-after.ts';
import { throwIfAborted } from './transport/runtime.ts';
import { throwIfTimedOut } from './transport/timeout-error.ts';
import { checkResponse } from './validation/check-response.ts';
import type { IssueList } from './validation/findings.ts';
import { responseShapes } from './validation/response-shapes.ts';

/** The response body of a successful operation. */
export type ResponseOf<Id extends OperationId> = ResponseBodies[(typeof operations)[Id]['response']['component']];

/** Runs a call: attempts, validation, response info, and exactly one `onEnd`. */
export async function readOperation<Id extends OperationId>(operation: Id, call: Call): Promise<ResponseOf<Id>> {
  try {
    throwIfAborted(call.signal);
    const answer = await requestJson(call);
    const value = validate(operation, call, answer);
    throwIfTimedOut(call, answer.head.requestId);
    attachResponseInfo(value, describeResponse(answer, call.attempt));
    endCall(call, {});
    return value;
  } catch (error) {
    endCall(call, { error });
    throw error;
  }
}

/** Emits `onEnd`. */
export function endCall(call: Call, outcome: { readonly error?: unknown }): void {
  emitEvent(call, 'onEnd', { elapsed: elapsedTime(call), ...outcome });
}

function validate<Id extends OperationId>(operation: Id, call: Call, { body, head }: Answer): ResponseOf<Id> {
  const { broken, drift } = checkResponse(
    body,
    responseShapes[operations[operation].response.component],
    call.settings.validation,
  );
  if (broken.issues.length > 0) throw structureError(call, head.requestId, broken);
  if (drift.issues.length > 0) {
    notifyHook(call.settings.hooks, 'onDrift', { callId: call.id, memoryId: shownMemoryId(call), ...drift });
  }
  return body as ResponseOf<Id>;
}

function structureError(call: Call, requestId: string | undefined, broken: IssueList): InvalidResponseError {
  const [first] = broken.issues;
  const place = first === undefined || first.path.length === 0 ? 'the body' : first.path.join('.');
  const isStrict = call.settings.validation === 'strict';
  const more = broken.issues.length > 1 ? `, and ${broken.issues.length - 1} more` : '';
  return new InvalidResponseError(
    failureMessage(
      call,
      `the response violates the specification at ${place} (${first?.message}${more})`,
      `Report it to the operator of the API${isStrict ? ", or pass validation: 'warn' to accept it" : ''}.`,
    ),
    { ...errorContext(call, requestId), reason: 'structure', ...broken },
  );
}

/** The info is created at its first use, because parsing the date is a noticeable part of the cost of a call. */
function describeResponse({ head }: Answer, attempts: number): () => ResponseInfo {
  let info: ResponseInfo | undefined;
  return () => {
    info ??= { ...head, serverDate: parseServerDate(head.headers), attempts };
    return info;
  };
}
