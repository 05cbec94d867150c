import { mediaKinds } from '@memory-read/contract/fields';
import { operations } from '@memory-read/contract/operations';
import type { StoredMemory } from '@memory-read/server';
import { assertOptions } from '../checks/assert-options.ts';
import { evaluatePredicate } from '../checks/evaluate-predicate.ts';
import { formatValue, functionAdvice } from '../checks/format-value.ts';
import { notFoundError, operationNames, unsupportedError } from '../checks/unknown-name-error.ts';
import type { RequestTarget } from '../request-log/request-target.ts';
import type { ServerFault, ServerFaultControls, ServerFaultMatch } from '../server/faults/wire-fault.ts';
import { assertFault, type FaultScope, faultError } from './assert-fault.ts';
import { frozenCopy } from './frozen-copy.ts';

/** The controls of every mock, and the methods that only the mock calls. */
export interface FaultSchedule extends ServerFaultControls {
  /** Returns the fault of this request, and counts it as used. */
  take(request: Request, target: RequestTarget): ServerFault | undefined;
  /** Returns the fault of a new connection, and counts it as used. */
  takeForConnection(): ServerFault | undefined;
}

/** What the schedule of a mock depends on. */
export interface FaultScheduleContext {
  /** Returns the memories of all accounts. */
  memories: () => Pick<StoredMemory, 'id' | 'media'>[];
  /** Whether the mock is a server. Only a server can play all faults, and has connections. */
  isServer: boolean;
}

const scheduling = 'schedule a fault';

interface FaultEntry {
  id: string;
  fault: ServerFault;
  match: ServerFaultMatch;
  target: FaultScope['target'];
  left: number;
  played: number;
}

export function createFaultSchedule(context: FaultScheduleContext): FaultSchedule {
  let nexts: FaultEntry[] = [];
  let standing: FaultEntry[] = [];
  let count = 0;
  const entryOf = (fault: ServerFault, match: ServerFaultMatch, left: number): FaultEntry => {
    const target = assertMatch(match, context);
    const option = match.media === undefined ? 'match.operation' : 'match.media';
    assertFault(fault, { target, option, isServer: context.isServer });
    count += 1;
    // Frozen, because tests see it in the request log.
    return {
      id: `fault-${count}`,
      fault: frozenCopy(fault),
      match: Object.freeze({ ...match }),
      target,
      left,
      played: 0,
    };
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
  const takeFirst = (isMeant: (entry: FaultEntry) => boolean) => {
    const found = [...nexts, ...standing].find(isMeant);
    if (!found) return undefined;
    found.left -= 1;
    found.played += 1;
    nexts = nexts.filter(({ left }) => left > 0);
    return found.fault;
  };
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
      [...nexts, ...standing].map(({ id, fault, match, left, played }) => ({
        id,
        fault,
        match,
        left: Number.isFinite(left) ? left : null,
        played,
      })),
    cancel,
    clear() {
      nexts = [];
      standing = [];
    },
    take: (request, target) => takeFirst((entry) => fits(entry, request, target)),
    takeForConnection: () => takeFirst(({ target }) => target === 'connection'),
  };
}

function fits({ target, match }: FaultEntry, request: Request, { operation, memoryId, kind }: RequestTarget): boolean {
  if (target !== (operation === 'media' ? 'media' : 'api')) return false;
  if (match.operation !== undefined && match.operation !== operation) return false;
  const wantedKind = match.media ?? match.kind;
  if (wantedKind !== undefined && wantedKind !== kind) return false;
  if (match.memoryId !== undefined && match.memoryId !== memoryId) return false;
  const { request: decide } = match;
  return decide === undefined || evaluatePredicate({ name: 'match.request', decide }, request);
}

/** Returns what the match is about. A kind of media has two spellings: `media`, and on a server `kind`. */
function assertMatch(match: ServerFaultMatch, { memories, isServer }: FaultScheduleContext): FaultScope['target'] {
  const ofServer = isServer ? ['kind'] : [];
  assertOptions(scheduling, { name: 'match', value: match }, [
    'operation',
    'media',
    'memoryId',
    'request',
    ...ofServer,
  ]);
  const { operation, memoryId, request } = match;
  if (request !== undefined && typeof request !== 'function') {
    throw faultError(`match.request is ${formatValue(request)}, which is not a function`, functionAdvice);
  }
  const others = isServer ? ["'media'", "'connection'"] : [];
  const names = [...operationNames, ...others];
  if (operation !== undefined && !names.includes(`'${operation}'`)) {
    throw unsupportedError(scheduling, `match.operation is ${formatValue(operation)}, which`, names);
  }
  const spelling = match.media === undefined ? 'kind' : 'media';
  const kind = match[spelling];
  if (kind !== undefined && !mediaKinds.includes(kind)) {
    const kinds = mediaKinds.map((each) => `'${each}'`);
    throw unsupportedError(scheduling, `match.${spelling} is ${formatValue(kind)}, which`, kinds);
  }
  if (match.media !== undefined && operation !== undefined)
    throw faultError('no request has both an operation and media', 'Remove match.operation or match.media');
  if (match.kind !== undefined && operation !== 'media')
    throw faultError("match.kind needs the operation 'media'", "Pass match.operation: 'media'");
  if (operation === 'connection' && (memoryId !== undefined || request !== undefined))
    throw faultError('a new connection has no request', 'Remove match.memoryId and match.request');
  const isMedia = match.media !== undefined || operation === 'media';
  const target = operation === 'connection' ? operation : isMedia ? 'media' : 'api';
  if (memoryId === undefined) return target;
  if (operation !== undefined && !isAboutMemory(operation)) {
    throw faultError(`a request of ${operation} contains no memory id`, 'Remove match.memoryId or match.operation');
  }
  const memory = memories().find(({ id }) => id === memoryId);
  const ids = memories().map(({ id }) => id);
  if (memory === undefined) throw notFoundError(scheduling, `the memory ${formatValue(memoryId)}`, ids);
  if (kind !== undefined && !memory.media[kind])
    throw faultError(
      `the memory ${formatValue(memoryId)} has no ${kind}`,
      `Correct match.${spelling} or match.memoryId`,
    );
  return target;
}

function isAboutMemory(operation: NonNullable<ServerFaultMatch['operation']>): boolean {
  return operation === 'media' || (operation !== 'connection' && operations[operation].path.includes('{memory_id}'));
}

function timesError(times: unknown): RangeError {
  return new RangeError(
    `Failed to schedule a fault: times is ${formatValue(times)}, which is not a whole number of at least 1. Pass 1 or more, or use always.`,
  );
}
