import type { OperationId, operations, ResponseBodies } from '@memory-read/contract/operations';
import { locate } from './call-site.ts';
import { InvalidResponseError } from './errors/invalid-response-error.ts';
import { notify } from './notify.ts';
import { attachResponseInfo, type ResponseInfo, type SkippedMemory } from './response-info.ts';
import type { Answer } from './transport/answer.ts';
import {
  baseUrlSource,
  type Call,
  type ErrorHead,
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
import { checkResponse } from './validation/check-response.ts';
import { allFindings, firstIssues, type IssueList } from './validation/findings.ts';
import { type BadItem, idOf, leftOutOf, setLeftOut } from './validation/left-out.ts';
import { responseShapes } from './validation/response-shapes.ts';

/** The response body of a successful operation. */
export type ResponseOf<Id extends OperationId> = ResponseBodies[(typeof operations)[Id]['response']['component']];

/** Runs a call: attempts, validation, response info, and exactly one `onEnd`. */
export async function readOperation<Id extends OperationId>(operation: Id, call: Call): Promise<ResponseOf<Id>> {
  try {
    throwIfAborted(call.signal);
    const answer = await requestJson(call);
    const value = validate(operation, call, answer);
    throwIfTimedOut(call, answer.head);
    attachResponseInfo(value, describeResponse(answer, call.attempt, value));
    endCall(call, {});
    return value;
  } catch (error) {
    endCall(call, { error: locate(error, call.site) });
    throw error;
  }
}

/** Emits `onEnd`. */
export function endCall(call: Call, outcome: { readonly error?: unknown }): void {
  emitEvent(call, 'onEnd', { elapsed: elapsedTime(call), ...outcome });
}

function validate<Id extends OperationId>(operation: Id, call: Call, { body, head }: Answer): ResponseOf<Id> {
  const { hooks, validation } = call.settings;
  const check = checkResponse(body, responseShapes[operation], validation);
  const { broken, items } = check;
  let { drift } = check;
  let value = body;
  let bad: readonly BadItem[] = [];
  if (broken.issues.length > 0) {
    const [key] = broken.issues[0]?.path ?? [];
    const list = typeof key === 'number' ? (body as unknown[]) : [];
    if (list.length > 0) bad = Array.from(items, ([index, issue]) => ({ memoryId: idOf(list[Number(index)]), issue }));
    const kept = validation === 'skip' ? list.filter((_item, index) => !items.has(index)) : [];
    if (kept.length === 0) throw structureError(call, head, broken, bad, adviceFor(call, key));
    const createError = (chosen: readonly BadItem[]) =>
      locate(structureError(call, head, firstIssues(chosen.map(({ issue }) => issue)), chosen), call.site);
    setLeftOut(kept, { items: bad, createError });
    drift = allFindings(check);
    value = kept;
  }
  // A late answer of a proxy can belong to another request.
  if (validation !== 'off' && call.memoryId !== undefined && !isSameId(value, call.memoryId)) {
    const foreign = firstIssues([{ kind: 'other_id', path: ['id'], message: 'another id than the requested one' }]);
    throw structureError(call, head, foreign, [], adviceFor(call, undefined));
  }
  if (drift.issues.length > 0) {
    const fields = { skipped: bad.length, memoryIds: shownIds(call, bad), ...drift };
    notify(hooks.onDrift, { callId: call.id, memoryId: shownMemoryId(call), ...fields });
  }
  return value as ResponseOf<Id>;
}

/** Some ids, such as UUIDs, can be written in two cases. */
function isSameId(memory: unknown, memoryId: string): boolean {
  const id = idOf(memory) ?? memoryId;
  return id.toLowerCase() === memoryId.toLowerCase();
}

function adviceFor(call: Call, key: string | number | undefined): string {
  if (typeof key === 'string') return ", or pass validation: 'warn' to accept it";
  const isSkippable = key !== undefined && call.settings.validation === 'strict';
  return isSkippable ? ", or pass validation: 'skip' to read the other memories" : `, or check ${baseUrlSource(call)}`;
}

function structureError(
  call: Call,
  head: ErrorHead,
  broken: IssueList,
  bad: readonly BadItem[],
  advice = '',
): InvalidResponseError {
  const { path = [], message } = broken.issues[0] ?? {};
  const [index, ...field] = path;
  const [memoryId] = shownIds(call, bad.slice(0, 1));
  const item = memoryId === undefined ? `item ${index}` : `memory ${JSON.stringify(memoryId)} (item ${index})`;
  const place = bad.length > 0 ? `${field.join('.') || 'the value'} of ${item}` : path.join('.') || 'the body';
  const more = broken.issues.length > 1 ? `, and ${broken.issues.length - 1} more` : '';
  return new InvalidResponseError(
    failureMessage(
      call,
      `the response violates the specification at ${place}: ${message}${more}`,
      `Report it to the operator of the API${advice}.`,
    ),
    {
      ...errorContext(call, head),
      reason: 'structure',
      memoryIds: shownIds(call, [{ memoryId: call.memoryId }, ...bad]),
      ...broken,
    },
  );
}

const MAXIMUM_IDS = 20;

function shownIds(call: Call, items: readonly Pick<BadItem, 'memoryId'>[]): string[] {
  const ids = items.flatMap(({ memoryId }) => memoryId || []);
  return ids.slice(0, MAXIMUM_IDS).map((id) => redactText(call, id));
}

/** The info is created at its first use, because parsing the date is a noticeable part of the cost of a call. */
function describeResponse({ head }: Answer, attempts: number, value: object): () => ResponseInfo {
  let info: ResponseInfo | undefined;
  return () => {
    info ??= { ...head, serverDate: parseServerDate(head.headers), attempts, skipped: skippedOf(value) };
    return info;
  };
}

function skippedOf(value: object): readonly SkippedMemory[] {
  const leftOut = leftOutOf(value);
  return leftOut?.items.map((item) => ({ memoryId: item.memoryId, error: leftOut.createError([item]) })) ?? [];
}
