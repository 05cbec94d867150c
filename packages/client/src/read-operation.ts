import { type OperationId, operations, type ResponseBodies } from '@memory-read/contract/operations';
import { notifyHook } from './client-hooks.ts';
import { InvalidResponseError } from './errors/invalid-response-error.ts';
import { attachResponseInfo, type ResponseInfo } from './response-info.ts';
import type { Answer } from './transport/answer.ts';
import {
  type Call,
  elapsedTime,
  emitEvent,
  errorContext,
  failureMessage,
  redactText,
  shownMemoryId,
} from './transport/call.ts';
import { requestJson } from './transport/request-json.ts';
import { parseServerDate } from './transport/retry-after.ts';
import { throwIfAborted } from './transport/runtime.ts';
import { throwIfTimedOut } from './transport/timeout-error.ts';
import { brokenItems, checkResponse, type ValidationMode } from './validation/check-response.ts';
import { allFindings, type IssueList } from './validation/findings.ts';
import { setLeftOut } from './validation/left-out.ts';
import { responseShapes } from './validation/response-shapes.ts';
import { isObject } from './validation/shape.ts';

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
  const shape = responseShapes[operations[operation].response.component];
  const check = checkResponse(body, shape, call.settings.validation);
  let { drift } = check;
  let value = body;
  let memoryIds: string[] = [];
  if (check.broken.issues.length > 0) {
    const broken = brokenItems(body, shape);
    memoryIds = Array.from(broken, idOf);
    const createError = () => structureError(call, head.requestId, { body, broken: check.broken, memoryIds });
    const kept = Array.isArray(body) ? body.filter((item) => !broken.has(item)) : [];
    if (call.settings.validation !== 'skip' || kept.length === 0) throw createError();
    setLeftOut(kept, { memoryIds: new Set(memoryIds), createError });
    drift = allFindings(check);
    value = kept;
  }
  if (drift.issues.length > 0) {
    const fields = { memoryIds: shownIds(call, memoryIds), skipped: memoryIds.length, ...drift };
    notifyHook(call.settings.hooks, 'onDrift', { callId: call.id, memoryId: shownMemoryId(call), ...fields });
  }
  return value as ResponseOf<Id>;
}

interface BrokenResponse {
  readonly body: unknown;
  readonly broken: IssueList;
  readonly memoryIds: readonly string[];
}

function structureError(
  call: Call,
  requestId: string | undefined,
  { body, broken, memoryIds }: BrokenResponse,
): InvalidResponseError {
  const [first] = broken.issues;
  const [index, ...field] = first?.path ?? [];
  const item: unknown = Array.isArray(body) && body[Number(index)];
  const place = item
    ? `${field.join('.') || 'the value'} of memory ${JSON.stringify(shownIds(call, [idOf(item)])[0] ?? '')} (item ${index})`
    : first?.path.join('.') || 'the body';
  const more = broken.issues.length > 1 ? `, and ${broken.issues.length - 1} more` : '';
  const remedies: Partial<Record<ValidationMode, string>> = {
    strict: Array.isArray(body)
      ? ", or pass validation: 'skip' to read the other memories"
      : ", or pass validation: 'warn' to accept it",
    skip: ', or check the base URL',
  };
  return new InvalidResponseError(
    failureMessage(
      call,
      `the response violates the specification at ${place}: ${first?.message}${more}`,
      `Report it to the operator of the API${remedies[call.settings.validation] ?? ''}.`,
    ),
    {
      ...errorContext(call, requestId),
      reason: 'structure',
      memoryIds: shownIds(call, call.memoryId === undefined ? memoryIds : [call.memoryId]),
      ...broken,
    },
  );
}

/** Returns the id of an item; an empty text if it has none. */
function idOf(item: unknown): string {
  return isObject(item) && typeof item.id === 'string' ? item.id : '';
}

const MAXIMUM_IDS = 20;

function shownIds(call: Call, memoryIds: readonly string[]): string[] {
  return memoryIds
    .filter((id) => id !== '')
    .slice(0, MAXIMUM_IDS)
    .map((id) => redactText(call, id));
}

/** The info is created at its first use, because parsing the date is a noticeable part of the cost of a call. */
function describeResponse({ head }: Answer, attempts: number): () => ResponseInfo {
  let info: ResponseInfo | undefined;
  return () => {
    info ??= { ...head, serverDate: parseServerDate(head.headers), attempts };
    return info;
  };
}
