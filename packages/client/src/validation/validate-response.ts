import { quietly } from '@memory-read/contract/event-loop';
import { locate } from '../call-site.ts';
import { InvalidResponseError } from '../errors/errors.ts';
import {
  type Call,
  callIdOf,
  type ErrorHead,
  errorContext,
  failureMessage,
  redactText,
  shownMemoryId,
} from '../transport/call.ts';
import { checkResponse, type ResponseCheck } from './check-response.ts';
import { allFindings, firstIssues, type IssueList } from './findings.ts';
import { type BadItem, idOf, type LeftOut } from './left-out.ts';
import { responseShapes } from './response-shapes.ts';

/** A body without its invalid items. */
export interface ValidBody extends LeftOut {
  readonly value: object;
}

/** Returns the body if it is valid, or a list without its invalid items. Reports drift. */
export function validateResponse(call: Call, body: unknown, head: ErrorHead): ValidBody {
  const check = checkResponse(body, responseShapes[call.operation], call.settings.validation);
  const isBroken = check.broken.issues.length > 0;
  const valid = isBroken
    ? leaveOutInvalid(call, head, body, check)
    : ({ value: body, items: [] as readonly BadItem[] } as ValidBody);
  if ((valid.value as { readonly id?: unknown }).id !== call.memoryId) assertRequestedId(call, head, valid.value);
  if (isBroken || check.drift.issues.length > 0) reportDrift(call, allFindings(check), valid.items);
  return valid;
}

/** Returns the valid items of a list, if the mode allows that and there are any. Otherwise throws. */
function leaveOutInvalid(call: Call, head: ErrorHead, body: unknown, { broken, items }: ResponseCheck): ValidBody {
  const [key] = broken.issues[0]?.path ?? [];
  const list = typeof key === 'number' ? (body as unknown[]) : [];
  const skipped = Array.from(list.length > 0 ? items : [], ([index, issue]) => ({
    memoryId: idOf(list[Number(index)]),
    issue,
  }));
  const value = call.settings.validation === 'skip' ? list.filter((_item, index) => !items.has(index)) : [];
  if (value.length === 0) throw structureError(call, head, broken, skipped, adviceFor(call, key));
  const createError = (chosen: readonly BadItem[]) =>
    locate(structureError(call, head, firstIssues(chosen.map(({ issue }) => issue)), chosen), call.site);
  return { value, items: skipped, createError };
}

/** Throws if the memory has another id. A late response of a proxy can belong to another request. */
function assertRequestedId(call: Call, head: ErrorHead, memory: unknown): void {
  const { memoryId, settings } = call;
  if (settings.validation === 'off' || memoryId === undefined || isSameId(memory, memoryId)) return;
  const foreign = firstIssues([{ kind: 'other_id', path: ['id'], message: 'another id than the requested one' }]);
  throw structureError(call, head, foreign, [], adviceFor(call, undefined));
}

/** Emits `onDrift`, if there is anything to report. */
function reportDrift(call: Call, drift: IssueList, skipped: readonly BadItem[]): void {
  const { onDrift } = call.client.settings.hooks;
  const memoryIds = shownIds(call, skipped);
  const fields = {
    callId: callIdOf(call),
    memoryId: shownMemoryId(call),
    skipped: skipped.length,
    memoryIds,
    ...drift,
  };
  quietly(() => onDrift?.(fields));
}

/** Some ids, such as UUIDs, can be written in two cases. */
function isSameId(memory: unknown, memoryId: string): boolean {
  const id = idOf(memory) ?? memoryId;
  return id.toLowerCase() === memoryId.toLowerCase();
}

function adviceFor(call: Call, key: string | number | undefined): string {
  if (typeof key === 'string') return ", or pass validation: 'warn' to accept it";
  const isSkippable = key !== undefined && call.settings.validation === 'strict';
  return isSkippable
    ? ", or pass validation: 'skip' to read the other memories"
    : `, or check ${call.client.sources.baseUrl}`;
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
      `the response violates the specification at ${place}: ${message}${more}. Report it to the operator of the API${advice}.`,
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
