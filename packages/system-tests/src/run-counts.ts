/** How often what can be repeated is repeated: in `npm test`, and in `npm run test:full`. */
export const runCounts = {
  rawRequests: { short: 2_000, full: 50_000 },
  killedImports: { full: 24 },
  postgresRestarts: { full: 3 },
  idleConnections: { short: 2_000, full: 10_000 },
} as const;
