/** Numbers of repetitions in `npm test` (`short`) and in `npm run test:full` (`full`). */
export const runCounts = {
  rawRequests: { full: 50_000 },
  killedImports: { full: 24 },
  postgresRestarts: { full: 3 },
  requestsOfReplica: { full: { memories: 2_000, lists: 200 } },
  killedDownloads: { short: 2, full: 20 },
  killedSyncs: { full: { lanes: 2, kills: 50 } },
  killedPurges: { full: { lanes: 2, kills: 50 } },
  mutatedReceipts: { full: 100_000 },
  randomHistories: { full: 1_000 },
  killedWatches: { short: 3, full: 30 },
  killedMirrors: { short: 3 },
  transcripts: { short: 500 },
  probedTranscripts: { short: 25 },
  playedTranscripts: { short: 100 },
  awkwardServers: { short: 60, full: 600 },
  idleConnections: { full: 10_000 },
} as const;
