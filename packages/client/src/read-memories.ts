import type { ListedMemory, Memory } from '@memory-read/contract';
import type { OperationId, operations, ResponseBodies } from '@memory-read/contract/operations';
import { locate } from './call-site.ts';
import { type Client, stateOf } from './client.ts';
import type { RequestOptions } from './client-options.ts';
import { requestUrl } from './configuration/base-url.ts';
import { callTable } from './configuration/call-options.ts';
import { checkOptions } from './configuration/check-options.ts';
import { encodeMemoryId } from './memory-path.ts';
import { attachFacts, type ResponseFacts, type ResponseInfo } from './response-info.ts';
import { type Call, type CallTarget, createCall, emitEvent, throwIfTimedOut } from './transport/call.ts';
import { runtime, throwIfAborted } from './transport/deadline.ts';
import { requestJson } from './transport/request-json.ts';
import type { ResponseHead } from './transport/response-head.ts';
import { parseServerDate } from './transport/retry-after.ts';
import { type ValidBody, validateResponse } from './validation/validate-response.ts';

/** The response body of a successful operation. */
type ResponseOf<Id extends OperationId> = ResponseBodies[(typeof operations)[Id]['response']['component']];

/** The paths of the contract. Its table of operations also holds the words of the OpenAPI document, which no bundle needs. */
const paths: { readonly [Id in OperationId]: (typeof operations)[Id]['path'] } = {
  listMemories: '/v1/memories',
  getMemory: '/v1/memories/{memory_id}',
};

/**
 * Returns all memories of the account, newest first and without transcripts. See section 4.1 of the specification.
 *
 * It rejects with the errors of `MemoryClient.listMemories`.
 *
 * @example
 * ```ts
 * for (const { id, name } of await listMemories(client)) console.log(id, name);
 * ```
 */
export function listMemories(client: Client, options?: RequestOptions): Promise<ListedMemory[]> {
  return read(client, { operation: 'listMemories', site: new Error() }, options);
}

/**
 * Returns one memory. A processed memory has its transcript and summary. See section 4.2 of the specification.
 *
 * It rejects with the errors of `MemoryClient.getMemory`.
 *
 * @example
 * ```ts
 * const { summary } = await getMemory(client, 'mem_1');
 * console.log(summary?.quick_summary);
 * ```
 */
export function getMemory(client: Client, memoryId: string, options?: RequestOptions): Promise<Memory> {
  return read(client, { operation: 'getMemory', memoryId, site: new Error() }, options);
}

/**
 * Runs a call: options, attempts, validation, response info, and exactly one `onEnd`.
 *
 * @param onOpen - gets the call before anything is sent.
 */
export async function read<Id extends OperationId>(
  client: Client,
  target: CallTarget<Id>,
  options?: RequestOptions,
  onOpen?: (call: Call) => void,
): Promise<ResponseOf<Id>> {
  const state = stateOf(client, target.operation);
  // The URL is a template until the id was checked.
  const call = createCall(state, target, state.settings.baseUrl.replace(/\/$/, '') + paths[target.operation]);
  let failed = {};
  try {
    onOpen?.(call);
    if (options !== undefined) applyOptions(call, options);
    call.url = urlOf(call);
    throwIfAborted(call.signal);
    const { body, head } = await requestJson(call);
    const valid = validateResponse(call, body, head);
    throwIfTimedOut(call, head);
    attachFacts(valid.value, describeResponse(head, call.attempt, valid));
    return valid.value as ResponseOf<Id>;
  } catch (error) {
    failed = { error: locate(error, call.site) };
    throw error;
  } finally {
    emitEvent(call, 'onEnd', { elapsed: runtime.uptime() - call.startedAt, ...failed });
  }
}

function applyOptions(call: Call, given: RequestOptions): void {
  const action = call.operation === 'getMemory' ? 'get a memory' : 'list memories';
  const { signal, headers, ...overrides } = checkOptions(action, callTable, given);
  call.signal = signal;
  call.headers = headers;
  call.settings = { ...call.settings, ...(overrides as Partial<Call['settings']>) };
}

function urlOf({ client, operation, memoryId }: Call): string {
  const id = operation === 'getMemory' ? `/${encodeMemoryId(memoryId as string)}` : '';
  return requestUrl(client.settings.baseUrl, paths.listMemories + id);
}

/** The info is created at its first use, because parsing the date is a noticeable part of the cost of a call. */
function describeResponse(
  head: ResponseHead,
  attempts: number,
  { value, items, createError }: ValidBody,
): ResponseFacts {
  let known: ResponseInfo | undefined;
  const info = () => {
    const { status, headers, requestId, receivedAt } = head;
    known ??= {
      status,
      headers,
      requestId,
      receivedAt,
      serverDate: parseServerDate(headers),
      attempts,
      skipped: items.map((item) => ({ memoryId: item.memoryId, error: createError([item]) })),
    };
    return known;
  };
  return { items, createError, info, length: (value as { length?: number }).length };
}
