import { type OperationId, operations } from '@memory-read/contract/operations';
import { assertOptions } from '../checks/assert-options.ts';
import { evaluatePredicate } from '../checks/evaluate-predicate.ts';
import { formatValue } from '../checks/format-value.ts';
import { unknownNameError } from '../checks/unknown-name-error.ts';
import type { RequestTarget } from '../request-log/request-target.ts';
import { assertFault, type Fault } from './fault.ts';

/** Which requests a fault is for: those that fit all that is given. */
export interface FaultMatch {
  operation?: OperationId | undefined;
  /** Of a memory that exists. */
  memoryId?: string | undefined;
  /** Given each request that fits the rest; may look at it, but must not read its body. */
  request?: ((request: Request) => boolean) | undefined;
}

/** What schedules the faults of a mock. Media requests have none. */
export interface FaultControls {
  /** For the next request, or the next `times`, that fit. Those scheduled first come first. */
  next(fault: Fault, options?: { times?: number | undefined; match?: FaultMatch | undefined }): void;
  /** For every request that fits and has no `next`. Of several, the one scheduled last counts. */
  always(fault: Fault, options?: { match?: FaultMatch | undefined }): void;
  /** From now on nothing goes wrong; what stalls already goes on to. */
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
    // The log shows it to tests.
    return { fault: typeof fault === 'string' ? fault : Object.freeze({ ...fault }), match: { ...match }, left };
  };
  return {
    next(fault, options = {}) {
      assertOptions(scheduling, options, ['times', 'match']);
      const { times = 1, match = {} } = options;
      if (!Number.isSafeInteger(times) || times < 1) throw timesError(times);
      nexts.push(scheduled(fault, match, times));
    },
    always(fault, options = {}) {
      assertOptions(scheduling, options, ['match']);
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
  assertOptions('match a fault', match, ['operation', 'memoryId', 'request']);
  const { operation, memoryId, request } = match;
  if (request !== undefined && typeof request !== 'function') {
    throw matchError(`match.request is ${formatValue(request)}`, 'Pass a function from a request to true or false');
  }
  if (operation !== undefined && !Object.hasOwn(operations, operation)) {
    throw unknownNameError('match a fault by operation', operation, Object.keys(operations));
  }
  if (memoryId === undefined) return;
  if (operation !== undefined && !operations[operation].path.includes('{memory_id}')) {
    throw matchError(`no request of ${operation} names a memory`, 'Leave memoryId or operation out');
  }
  const ids = memoryIds();
  if (!ids.includes(memoryId)) throw unknownNameError('match a fault by memoryId', memoryId, ids);
}

function matchError(reason: string, advice: string): TypeError {
  return new TypeError(`Failed to match a fault: because ${reason}. ${advice}.`);
}

function timesError(times: unknown): RangeError {
  return new RangeError(
    `Failed to schedule a fault: because times is ${formatValue(times)}. Pass a whole number from 1 on.`,
  );
}
