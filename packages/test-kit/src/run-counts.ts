/** Numbers of repetitions: `full` in files that end in `.full.test.ts`, `short` in all others. */
export const runCounts = {
  rawRequests: { full: 50_000 },
  killedImports: { full: 24 },
  postgresRestarts: { full: 3 },
  requestsOfProcess: { full: { memories: 2_000, lists: 200 } },
  killedDownloads: { full: 20 },
  killedSyncs: { full: { lanes: 2, kills: 50 } },
  killedExports: { full: { lanes: 2, kills: 150 } },
  randomHistories: { full: 1_000 },
  randomNames: { short: { histories: 60, steps: 9 }, full: { histories: 1_000, steps: 15 } },
  processedAgain: { short: 22, full: 400 },
  killedDeliveries: { full: { lanes: 2, kills: 50 } },
  transcripts: { short: 500 },
  probedTranscripts: { short: 25 },
  playedTranscripts: { short: 100 },
  awkwardServers: { short: 60, full: 600 },
  idleConnections: { full: 10_000 },
} as const;
