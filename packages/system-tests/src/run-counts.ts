/** Numbers of repetitions in `npm test` (`short`) and in `npm run test:full` (`full`). */
export const runCounts = {
  parityRequests: { short: 200, full: 5_000 },
  rawRequests: { short: 2_000, full: 50_000 },
  killedImports: { full: 24 },
  postgresRestarts: { full: 3 },
  requestsOfReplica: { full: { memories: 2_000, lists: 200 } },
  killedDownloads: { short: 2, full: 20 },
  killedPurges: { full: { lanes: 2, kills: 50 } },
  killedWatches: { short: 3, full: 30 },
  killedMirrors: { short: 3, full: { runs: 5, kills: 12 } },
  memoryIds: { short: 1_000 },
  callsOnOneSignal: { short: 10_000 },
  transcripts: { short: 500 },
  probedTranscripts: { short: 25 },
  playedTranscripts: { short: 100 },
  awkwardServers: { short: 60, full: 600 },
  idleConnections: { short: 2_000, full: 10_000 },
} as const;
