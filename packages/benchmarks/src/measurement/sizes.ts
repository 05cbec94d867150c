/** How large and how often: `quick` to try the benchmarks themselves, `short` for `bench`, `full` for `bench:full`. */
export type Scale = 'quick' | 'short' | 'full';

const sizes = {
  /** Rounds of what takes milliseconds, such as a process or a burst of calls. */
  rounds: { quick: 3, short: 31, full: 51 },
  /** Rounds of what takes seconds. */
  longRounds: { quick: 1, short: 7, full: 9 },
  /** Processes of a row that is repeated, and rounds in each of them. */
  processes: { quick: 2, short: 7, full: 9 },
  processRounds: { quick: 1, short: 4, full: 9 },
  /** Calls of a client in one round. */
  callsARound: { quick: 20, short: 300, full: 500 },
  /** Calls with long answers in one round: as many as let each client pay for its own garbage. */
  longCallsARound: { quick: 1, short: 5, full: 10 },
  /** Seconds of load on a server in one round. */
  loadSeconds: { quick: 0.5, short: 1, full: 3 },
  segments: { quick: 1_000, short: 10_000, full: 10_000 },
  serverListLength: { quick: 2_000, short: 100_000, full: 100_000 },
  /** Segments of a mirror. */
  mirroredSegments: { quick: 4_000, short: 200_000, full: 200_000 },
  /** Searches of each kind. */
  searches: { quick: 5, short: 100, full: 300 },
  /** Events of a mirror whose sink has nothing to deliver. */
  loggedEvents: { quick: 2_000, short: 100_000, full: 100_000 },
  deliveredEvents: { quick: 1_000, short: 10_000, full: 10_000 },
  mediaMegabytes: { quick: 8, short: 256, full: 1_024 },
} as const satisfies Record<string, Record<Scale, number>>;

export type Sizes = Record<keyof typeof sizes, number>;

export function sizesOf(scale: Scale): Sizes {
  return Object.fromEntries(Object.entries(sizes).map(([name, values]) => [name, values[scale]])) as Sizes;
}
