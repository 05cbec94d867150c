import { type OperationId, operations } from '@memory-read/contract/operations';
import { assertOptions } from '../checks/assert-options.ts';
import { evaluatePredicate } from '../checks/evaluate-predicate.ts';
import { formatValue, functionAdvice } from '../checks/format-value.ts';
import { notFoundError, operationNames, unsupportedError } from '../checks/unknown-name-error.ts';
import type { RequestTarget } from '../request-log/request-target.ts';
import { assertFault, type Fault, faultError } from './fault.ts';

/** Conditions for a fault. A request must meet all of them. */
export interface FaultMatch {
  operation?: OperationId | undefined;
  /** Id of an existing memory. Default: any memory. */
  memoryId?: string | undefined;
  /** Function that selects requests. It must not read the body. Default: every request matches. */
  request?: ((request: Request) => boolean) | undefined;
}

/** Schedules the faults of a mock. Requests for media have no faults. */
export interface FaultControls {
  /**
   * Applies a fault to the next matching request, or to the next `times` ones. Default: 1. Earlier faults come first.
   *
   * @throws a {@link TypeError} if the fault or an option is invalid.
   * @throws a {@link RangeError} if an option is unknown, or no memory has the id.
   */
  next(fault: Fault, options?: { times?: number | undefined; match?: FaultMatch | undefined }): void;
  /**
   * Applies a fault to every matching request that has no `next` fault. The latest one wins.
   *
   * @throws a {@link TypeError} if the fault or an option is invalid.
   * @throws a {@link RangeError} if an option is unknown, or no memory has the id.
   */
  always(fault: Fault, options?: { match?: FaultMatch | undefined }): void;
  /** Removes all faults. A request that already stalls continues to stall. */
  clear(): void;
}

/** The controls, and the methods that only the mock calls. */
export interface FaultSchedule extends FaultControls {
  /** Returns the fault of this request, and counts it as used. */
  take(request: Request, target: RequestTarget): Fault | undefined;
}

const scheduling = 'schedule a fault';

interface ScheduledFault {
  fault: Fault;
  match: FaultMatch;
  left: number;
}

/** `memoryIds` returns the ids of all memories. */
export function createFaultSchedule(memoryIds: () => string[]): FaultSchedule {
  let nexts: ScheduledFault[] = [];
  let standing: ScheduledFault[] = [];
  const scheduled = (fault: Fault, match: FaultMatch, left: number): ScheduledFault => {
    assertFault(fault);
    assertMatch(match, memoryIds);
    // Frozen, because tests see it in the request log.
    return { fault: typeof fault === 'string' ? fault : Object.freeze({ ...fault }), match: { ...match }, left };
  };
  return {
    next(fault, options = {}) {
      assertOptions(scheduling, { name: 'the options argument', value: options }, ['times', 'match']);
      const { times = 1, match = {} } = options;
      if (!Number.isSafeInteger(times) || times < 1) throw timesError(times);
      nexts.push(scheduled(fault, match, times));
    },
    always(fault, options = {}) {
      assertOptions(scheduling, { name: 'the options argument', value: options }, ['match']);
      const { match = {} } = options;
      standing.unshift(scheduled(fault, match, Number.POSITIVE_INFINITY));
    },
    clear() {
      nexts = [];
      standing = [];
    },
    take(request, target) {
      const found = [...nexts, ...standing].find(({ match }) => fits(match, request, target));
      if (!found) return undefined;
      found.left -= 1;
      nexts = nexts.filter(({ left }) => left > 0);
      return found.fault;
    },
  };
}

function fits(match: FaultMatch, request: Request, { operation, memoryId }: RequestTarget): boolean {
  if (match.operation !== undefined && match.operation !== operation) return false;
  if (match.memoryId !== undefined && match.memoryId !== memoryId) return false;
  const { request: decide } = match;
  return decide === undefined || evaluatePredicate({ name: 'match.request', decide }, request);
}

function assertMatch(match: FaultMatch, memoryIds: () => string[]): void {
  assertOptions(scheduling, { name: 'match', value: match }, ['operation', 'memoryId', 'request']);
  const { operation, memoryId, request } = match;
  if (request !== undefined && typeof request !== 'function') {
    throw faultError(`match.request is ${formatValue(request)}, which is not a function`, functionAdvice);
  }
  if (operation !== undefined && !Object.hasOwn(operations, operation)) {
    throw unsupportedError(scheduling, `match.operation is ${formatValue(operation)}, which`, operationNames);
  }
  if (memoryId === undefined) return;
  if (operation !== undefined && !operations[operation].path.includes('{memory_id}')) {
    throw faultError(`a request of ${operation} contains no memory id`, 'Remove match.memoryId or match.operation');
  }
  const ids = memoryIds();
  if (!ids.includes(memoryId)) throw notFoundError(scheduling, `the memory ${formatValue(memoryId)}`, ids);
}

function timesError(times: unknown): RangeError {
  return new RangeError(
    `Failed to schedule a fault: times is ${formatValue(times)}, which is not a whole number of at least 1. Pass 1 or more.`,
  );
}
