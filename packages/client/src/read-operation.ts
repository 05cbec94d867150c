import type { OperationId, operations, ResponseBodies } from '@memory-read/contract/operations';
import { locate } from './call-site.ts';
import { attachFacts, type ResponseFacts, type ResponseInfo, type SkippedMemory } from './response-info.ts';
import { type Call, elapsedTime, emitEvent } from './transport/call.ts';
import type { JsonResponse } from './transport/outcome.ts';
import { requestJson } from './transport/request-json.ts';
import { parseServerDate } from './transport/retry-after.ts';
import { throwIfAborted } from './transport/runtime.ts';
import { throwIfTimedOut } from './transport/timeout-error.ts';
import type { LeftOut } from './validation/left-out.ts';
import { validateResponse } from './validation/validate-response.ts';

/** The response body of a successful operation. */
export type ResponseOf<Id extends OperationId> = ResponseBodies[(typeof operations)[Id]['response']['component']];

/** Runs a call: attempts, validation, response info, and exactly one `onEnd`. */
export async function readOperation<Id extends OperationId>(operation: Id, call: Call): Promise<ResponseOf<Id>> {
  try {
    throwIfAborted(call.signal);
    const response = await requestJson(call);
    const { value, leftOut } = validateResponse(operation, call, response);
    throwIfTimedOut(call, response.head);
    attachFacts(value, describeResponse(response, call.attempt, leftOut));
    endCall(call, {});
    return value as ResponseOf<Id>;
  } catch (error) {
    endCall(call, { error: locate(error, call.site) });
    throw error;
  }
}

/** Emits `onEnd`. */
export function endCall(call: Call, outcome: { readonly error?: unknown }): void {
  emitEvent(call, 'onEnd', { elapsed: elapsedTime(call), ...outcome });
}

/** The info is created at its first use, because parsing the date is a noticeable part of the cost of a call. */
function describeResponse({ head }: JsonResponse, attempts: number, leftOut: LeftOut): ResponseFacts {
  let info: ResponseInfo | undefined;
  return {
    leftOut,
    info: () => {
      info ??= { ...head, serverDate: parseServerDate(head.headers), attempts, skipped: skippedOf(leftOut) };
      return info;
    },
  };
}

function skippedOf({ items, createError }: LeftOut): readonly SkippedMemory[] {
  return items.map((item) => ({ memoryId: item.memoryId, error: createError([item]) }));
}
