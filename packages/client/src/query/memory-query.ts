import type { ListedMemory, Memory } from '@memory-read/contract';
import { systemClock } from '@memory-read/contract/date-time';
import { longestTimer } from '@memory-read/contract/event-loop';
import { findUnknownOption, unsupportedOption } from '@memory-read/contract/options';
import { refuseOption } from '../configuration/refuse-option.ts';
import { isMemoryApiError } from '../errors/is-memory-api-error.ts';
import { mediaExpiresAt, mediaUrlsOf } from '../media/media-expiry.ts';
import { responseInfo } from '../response-info.ts';
import type { MemoryQueryOptions, MemoryReader, MemoryReadKeys, MemoryReadQuery, QueryState } from './query-types.ts';
import { SHORTEST_INTERVAL, shareData } from './share-data.ts';

const HOUR = 3_600_000;
const DEFAULT_SCOPE = 'default';

const refuse = refuseOption.bind(undefined, 'build the query');

type Check = readonly [isValid: (value: unknown) => boolean, expected: string];

/** All but the first are the options. */
const checks: Record<string, Check> = {
  memoryId: [isFilled, 'an id from the list of memories'],
  // Devtools and persisted caches show it.
  scope: [(value) => isFilled(value) && !hasKey(value), 'a name of the account'],
  pollInterval: durationFrom(1),
  margin: durationFrom(0),
  refreshMedia: [(value) => typeof value === 'boolean', 'true or false'],
};

/**
 * Returns the query of the list of memories, for `useQuery` of TanStack Query 5.
 *
 * It is read again while a memory is being processed, and before the first media URL expires. If a read returns only
 * new signatures, no object changes, so no player restarts. See sections 2.1 and 4.1 of the specification.
 *
 * @throws a {@link ConfigurationError} if an option is invalid.
 *
 * @example
 * ```ts
 * const { data: memories = [], error } = useQuery(memoriesQuery(client));
 * ```
 */
export function memoriesQuery(client: MemoryReader, options: MemoryQueryOptions = {}): MemoryReadQuery<ListedMemory[]> {
  const { scope, ...settings } = settle(client, options);
  return createQuery(memoryReadKeys(scope).memories, (request) => client.listMemories(request), settings);
}

/**
 * Returns the query of a memory, for `useQuery` of TanStack Query 5.
 *
 * It is read again while the memory is being processed, and before its first media URL expires. Without an id, each read
 * rejects with a {@link ConfigurationError} and sends no request, so set `enabled` to false. See sections 2.1 and 4.2 of
 * the specification.
 *
 * @throws a {@link ConfigurationError} if an option is invalid.
 *
 * @example
 * ```ts
 * const { data: memory, error } = useQuery(memoryQuery(client, memoryId));
 * ```
 */
export function memoryQuery(
  client: MemoryReader,
  memoryId: string | null | undefined,
  options: MemoryQueryOptions = {},
): MemoryReadQuery<Memory> {
  const { scope, ...settings } = settle(client, options);
  const id = memoryId ?? '';
  const read = async (request: { signal?: AbortSignal }) => {
    check('memoryId', id);
    return client.getMemory(id, request);
  };
  return createQuery(memoryReadKeys(scope).memory(id), read, settings);
}

/**
 * Returns the keys of the cached queries of an account, to invalidate or remove them.
 *
 * @param scope - `scope` of the queries. Default: `'default'`.
 *
 * @example
 * ```ts
 * await queryClient.invalidateQueries({ queryKey: memoryReadKeys().all });
 * ```
 */
export function memoryReadKeys(scope: string = DEFAULT_SCOPE): MemoryReadKeys {
  check('scope', scope);
  const all = ['memory-read', scope];
  return { all, memories: [...all, 'memories'], memory: (memoryId) => [...all, 'memory', memoryId] };
}

/** Returns whether another read can succeed after this error. */
export function canCure(error: unknown): boolean {
  const final = ['not_found', 'authentication', 'configuration', 'invalid_request'];
  return !(isMemoryApiError(error) && final.includes(error.code));
}

type Settled = { [Name in keyof Required<MemoryQueryOptions>]: NonNullable<MemoryQueryOptions[Name]> };

/**
 * When the queries read their data. Only there can a URL be kept: what `select` makes of it has no response to judge by.
 */
const reads = new WeakMap<object, number>();
/** When the first URL of data expires. Each render asks, and thousands of URLs take long. */
const ends = new WeakMap<object, number>();

function createQuery<Data>(
  queryKey: readonly string[],
  read: (request: { signal?: AbortSignal }) => Promise<Data>,
  settings: Omit<Settled, 'scope'>,
): MemoryReadQuery<Data> {
  const { pollInterval, margin } = settings;
  const refetchOn = ({ state }: { state: QueryState }) =>
    dueAt(state, settings) <= systemClock.now().getTime() ? 'always' : true;
  return {
    queryKey,
    async queryFn(context) {
      const signal = context?.signal;
      const data = await read(typeof signal?.addEventListener === 'function' ? { signal } : {});
      reads.set(Object(data), systemClock.now().getTime());
      return data;
    },
    staleTime: Math.max(SHORTEST_INTERVAL, HOUR - margin),
    // A component that is hidden while a read runs is mounted after its failure.
    refetchOnMount: (query) =>
      !(query.state.error && attemptedAt(query.state) + SHORTEST_INTERVAL > systemClock.now().getTime()) &&
      refetchOn(query),
    refetchOnReconnect: refetchOn,
    refetchOnWindowFocus: refetchOn,
    refetchInterval({ state }) {
      const now = systemClock.now().getTime();
      const at = dueAt(state, settings);
      if (at === Number.POSITIVE_INFINITY) return false;
      // SWR starts a new timer at each render. The next whole second stays where it is.
      const soon = state.fetchStatus === 'idle' ? 1 : Math.min(pollInterval, 1_000 - (now % 1_000));
      return Math.min(Math.max(at - now, soon), longestTimer);
    },
    structuralSharing(old, fresh) {
      const read = reads.get(Object(fresh));
      const shared = shareData(old, fresh, read === undefined ? Number.POSITIVE_INFINITY : margin);
      // SWR keeps the old object, and compares in both orders. A time after now is that of a clock that was set back.
      const key = Object(shared);
      ends.delete(key);
      if (read && old !== fresh)
        reads.set(key, Math.min(systemClock.now().getTime(), Math.max(read, reads.get(key) ?? 0)));
      return shared;
    },
    retry: false,
  };
}

/** Returns when to read again, by the local clock; infinity if no read follows. */
function dueAt(state: QueryState, { pollInterval, margin, refreshMedia }: Omit<Settled, 'scope'>): number {
  const { data, error } = state;
  if (!canCure(error)) return Number.POSITIVE_INFINITY;
  const now = systemClock.now().getTime();
  const pause = isPending(data) ? pollInterval : SHORTEST_INTERVAL;
  const read = readAt(state);
  const attempt = attemptedAt(state);
  // Renders do not move the next whole pause.
  const earliest = pause + (attempt && attempt <= now ? attempt : now - (now % pause));
  // SWR does not pass on its fallback data.
  if (data === undefined || isPending(data)) return earliest;
  const media = memoriesOf(data).filter((memory) => refreshMedia && mediaUrlsOf(memory).length > 0);
  if (media.length === 0) return Number.POSITIVE_INFINITY;
  if (read > now) return earliest;
  // No URL lives for more than an hour after it was read, also if it was stored without its response.
  const outdatedAt = Math.min(firstEnd(Object(data), media), (read || Number.POSITIVE_INFINITY) + HOUR) - margin;
  // No read has brought initial data.
  return state.dataUpdateCount === 0 && !error ? outdatedAt : Math.max(outdatedAt, earliest);
}

function firstEnd(data: object, media: Memory[]): number {
  const end =
    ends.get(data) ??
    media.reduce((first, memory) => Math.min(first, Number(mediaExpiresAt(memory) ?? first)), Number.POSITIVE_INFINITY);
  ends.set(data, end);
  return end;
}

/** SWR does not say when data were read. The result is 0 if it is unknown. */
function readAt({ data, dataUpdatedAt }: QueryState): number {
  return dataUpdatedAt || (reads.get(Object(data)) ?? Number(responseInfo(Object(data))?.receivedAt ?? 0));
}

function attemptedAt(state: QueryState): number {
  return Math.max(readAt(state), state.errorUpdatedAt ?? 0);
}

function isPending(data: unknown): boolean {
  return memoriesOf(data).some((memory) => memory.is_processing);
}

function memoriesOf(data: unknown): Memory[] {
  return [data].flat().filter(isMemory);
}

function isMemory(value: unknown): value is Memory {
  return Object(value) === value;
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function hasKey(value: unknown): boolean {
  return /mrk_/i.test(String(value));
}

function durationFrom(minimum: number): Check {
  return [
    (value) => typeof value === 'number' && value >= minimum && value <= longestTimer,
    `milliseconds from ${minimum} to 2,147,483,647`,
  ];
}

function settle(client: MemoryReader, options: MemoryQueryOptions): Settled {
  for (const method of ['listMemories', 'getMemory'] as const) {
    if (typeof client?.[method] !== 'function')
      throw refuse(
        `the client has no method ${method}`,
        'Pass a MemoryClient, or an object with the same two methods.',
      );
  }
  const [, ...names] = Object.keys(checks);
  const given = Object(options);
  const unknown = findUnknownOption(given, names);
  if (unknown) throw refuse(unsupportedOption(unknown), 'Pass it beside the spread query.', unknown);
  const { scope = DEFAULT_SCOPE, pollInterval = 10_000, margin = 300_000, refreshMedia = true } = given;
  const settled: Settled = { scope, pollInterval, margin, refreshMedia };
  for (const [name, value] of Object.entries(settled)) check(name, value);
  return settled;
}

/** No message repeats a text, because the text could be a key in the wrong place. */
function check(name: string, value: unknown): void {
  const [isValid, expected] = checks[name] as Check;
  if (isValid(value)) return;
  throw refuse(`${name} ${describe(value)}`, `Pass ${expected}.`, name);
}

function describe(value: unknown): string {
  if (typeof value === 'number') return `is ${value}`;
  if (typeof value !== 'string') return `is of type ${value === null ? null : typeof value}`;
  if (hasKey(value)) return 'contains an API key';
  return value === '' ? 'is empty' : 'is of type string';
}
