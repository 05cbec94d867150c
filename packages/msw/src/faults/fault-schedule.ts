import type { MediaKind } from '@memory-read/contract';
import type { OperationId } from '@memory-read/contract/operations';
import type { Fault } from './fault.ts';

/** Conditions for a fault. A request must meet all of them. */
export interface FaultMatch {
  /** Operation of the API that the fault affects. Default: all requests to the API. */
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
