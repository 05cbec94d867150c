import type { OperationId, operations, ResponseBodies } from '@memory-read/contract/operations';
import { locate } from './call-site.ts';
import { attachFacts, type ResponseFacts, type ResponseInfo } from './response-info.ts';
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
    const valid = validateResponse(operation, call, response);
    throwIfTimedOut(call, response.head);
    attachFacts(valid.value, describeResponse(response, call.attempt, valid));
    endCall(call, {});
    return valid.value as ResponseOf<Id>;
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
function describeResponse({ head }: JsonResponse, attempts: number, { items, createError }: LeftOut): ResponseFacts {
  let info: ResponseInfo | undefined;
  return {
    items,
    createError,
    info: () => {
      info ??= {
        ...head,
        serverDate: parseServerDate(head.headers),
        attempts,
        skipped: items.map((item) => ({ memoryId: item.memoryId, error: createError([item]) })),
      };
      return info;
    },
  };
}
