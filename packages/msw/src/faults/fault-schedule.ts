import type { MediaKind } from '@memory-read/contract';
import { mediaKinds } from '@memory-read/contract/fields';
import { type OperationId, operations } from '@memory-read/contract/operations';
import type { StoredMemory } from '@memory-read/server';
import { assertOptions } from '../checks/assert-options.ts';
import { evaluatePredicate } from '../checks/evaluate-predicate.ts';
import { formatValue, functionAdvice } from '../checks/format-value.ts';
import { notFoundError, operationNames, unsupportedError } from '../checks/unknown-name-error.ts';
import type { RequestTarget } from '../request-log/request-target.ts';
import { assertFault, type Fault, faultError } from './fault.ts';

/** Conditions for a fault. A request must meet all of them. */
export interface FaultMatch {
  operation?: OperationId | undefined;
  /** Media that the fault affects, instead of requests to the API. Default: no media. */
  media?: MediaKind | undefined;
  /** Id of an existing memory. Default: any memory. */
  memoryId?: string | undefined;
  /** Function that selects requests. It must not read the body. Default: every request matches. */
  request?: ((request: Request) => boolean) | undefined;
}

/** A fault that was scheduled. */
export interface ScheduledFault {
  /** Number of requests that the fault has affected. */
  readonly played: number;
  /** Removes the fault. A request that already stalls continues to stall. */
  cancel(): void;
}

/** Schedules the faults of a mock. A fault affects requests to the API, or media if `match.media` names them. */
export interface FaultControls {
  /**
   * Applies a fault to the next matching request, or to the next `times` ones. Default: 1. Earlier faults come first.
   *
   * A client repeats a request that fails with a 500, so one fault of that kind is not seen. With `times: Infinity`, it
   * affects every attempt until you cancel it.
   *
   * @throws a {@link TypeError} if the fault or an option is invalid.
   * @throws a {@link RangeError} if an option is unknown, or no memory has the id.
   */
  next(fault: Fault, options?: { times?: number | undefined; match?: FaultMatch | undefined }): ScheduledFault;
  /**
   * Applies a fault to every matching request that has no `next` fault. The latest one wins.
   *
   * @throws a {@link TypeError} if the fault or an option is invalid.
   * @throws a {@link RangeError} if an option is unknown, or no memory has the id.
   */
  always(fault: Fault, options?: { match?: FaultMatch | undefined }): ScheduledFault;
  /** Removes all faults. A request that already stalls continues to stall. */
  clear(): void;
}

/** The controls, and the methods that only the mock calls. */
export interface FaultSchedule extends FaultControls {
  next(...scheduled: Parameters<FaultControls['next']>): ScheduledFault & { readonly id: string };
  always(...scheduled: Parameters<FaultControls['always']>): ScheduledFault & { readonly id: string };
  /** Returns the faults that can still be played. Those that count come first. */
  all(): { id: string; fault: Fault; match: FaultMatch; left: number | null; played: number }[];
  /** Removes a fault. Returns false if it is unknown or used up. */
  cancel(id: string): boolean;
  /** Returns the fault of this request, and counts it as used. */
  take(request: Request, target: RequestTarget): Fault | undefined;
  /** Returns the fault of a new connection, and counts it as used. */
  takeForConnection(): Fault | undefined;
}

const scheduling = 'schedule a fault';

interface FaultEntry {
  id: string;
  fault: Fault;
  match: FaultMatch;
  left: number;
  played: number;
}

/** `memories` returns those of all accounts. */
export function createFaultSchedule(memories: () => Pick<StoredMemory, 'id' | 'media'>[]): FaultSchedule {
  let nexts: FaultEntry[] = [];
  let standing: FaultEntry[] = [];
  let count = 0;
  const entryOf = (fault: Fault, match: FaultMatch, left: number): FaultEntry => {
    assertMatch(match, memories());
    assertFault(fault, match.media !== undefined);
    // Frozen, because tests see it in the request log.
    const kept = typeof fault === 'string' ? fault : Object.freeze({ ...fault });
    count += 1;
    return { id: `fault-${count}`, fault: kept, match: { ...match }, left, played: 0 };
  };
  const cancel = (id: string) => {
    const isKnown = [...nexts, ...standing].some((entry) => entry.id === id);
    nexts = nexts.filter((entry) => entry.id !== id);
    standing = standing.filter((entry) => entry.id !== id);
    return isKnown;
  };
  const handleOf = (entry: FaultEntry) => ({
    id: entry.id,
    get played() {
      return entry.played;
    },
    cancel: () => void cancel(entry.id),
  });
  return {
    next(fault, options = {}) {
      assertOptions(scheduling, { name: 'the options argument', value: options }, ['times', 'match']);
      const { times = 1, match = {} } = options;
      if (!(Number.isSafeInteger(times) || times === Number.POSITIVE_INFINITY) || times < 1) throw timesError(times);
      const entry = entryOf(fault, match, times);
      nexts.push(entry);
      return handleOf(entry);
    },
    always(fault, options = {}) {
      assertOptions(scheduling, { name: 'the options argument', value: options }, ['match']);
      const { match = {} } = options;
      const entry = entryOf(fault, match, Number.POSITIVE_INFINITY);
      standing.unshift(entry);
      return handleOf(entry);
    },
    all: () =>
      [...nexts, ...standing].map(({ left, ...entry }) => ({ ...entry, left: Number.isFinite(left) ? left : null })),
    cancel,
    clear() {
      nexts = [];
      standing = [];
    },
    take: (request, target) => takeFirst((match) => fits(match, request, target)),
    takeForConnection: () => takeFirst(({ operation }) => (operation as string) === 'connection'),
  };

  function takeFirst(isFor: (match: FaultMatch) => boolean): Fault | undefined {
    const found = [...nexts, ...standing].find(({ match }) => isFor(match));
    if (!found) return undefined;
    found.left -= 1;
    found.played += 1;
    nexts = nexts.filter(({ left }) => left > 0);
    return found.fault;
  }
}

function fits(match: FaultMatch, request: Request, { operation, memoryId, kind }: RequestTarget): boolean {
  if (match.media === undefined ? operation === 'media' : match.media !== kind) return false;
  if (match.operation !== undefined && match.operation !== operation) return false;
  if (match.memoryId !== undefined && match.memoryId !== memoryId) return false;
  const { request: decide } = match;
  return decide === undefined || evaluatePredicate({ name: 'match.request', decide }, request);
}

function assertMatch(match: FaultMatch, memories: Pick<StoredMemory, 'id' | 'media'>[]): void {
  assertOptions(scheduling, { name: 'match', value: match }, ['operation', 'media', 'memoryId', 'request']);
  const { operation, media, memoryId, request } = match;
  if (request !== undefined && typeof request !== 'function') {
    throw faultError(`match.request is ${formatValue(request)}, which is not a function`, functionAdvice);
  }
  if (operation !== undefined && !Object.hasOwn(operations, operation)) {
    throw unsupportedError(scheduling, `match.operation is ${formatValue(operation)}, which`, operationNames);
  }
  if (media !== undefined && !mediaKinds.includes(media)) {
    const names = mediaKinds.map((kind) => `'${kind}'`);
    throw unsupportedError(scheduling, `match.media is ${formatValue(media)}, which`, names);
  }
  if (media !== undefined && operation !== undefined)
    throw faultError('no request has both an operation and media', 'Remove match.operation or match.media');
  if (memoryId === undefined) return;
  if (operation !== undefined && !operations[operation].path.includes('{memory_id}')) {
    throw faultError(`a request of ${operation} contains no memory id`, 'Remove match.memoryId or match.operation');
  }
  const memory = memories.find(({ id }) => id === memoryId);
  const ids = memories.map(({ id }) => id);
  if (memory === undefined) throw notFoundError(scheduling, `the memory ${formatValue(memoryId)}`, ids);
  if (media !== undefined && !memory.media[media])
    throw faultError(`the memory ${formatValue(memoryId)} has no ${media}`, 'Correct match.media or match.memoryId');
}

function timesError(times: unknown): RangeError {
  return new RangeError(
    `Failed to schedule a fault: times is ${formatValue(times)}, which is not a whole number of at least 1. Pass 1 or more, or Infinity.`,
  );
}
