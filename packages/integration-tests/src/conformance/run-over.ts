import { type ConformanceReport, type Profile, type RuleResult, runConformance } from '@memory-read/conformance';
import type { Change } from './raw-server/change.ts';
import { runKeys } from './raw-server/memories.ts';
import { startRawServer } from './raw-server/start-raw-server.ts';

/** Returns the report on a server that follows the specification, except for a change. */
export async function runOver(change: Change, profile: Profile = 'specification'): Promise<ConformanceReport> {
  await using server = await startRawServer(change);
  return await runConformance({ baseUrl: server.url, ...runKeys, media: true, profile });
}

/** Returns the rules with a result, in alphabetical order. */
export function rulesThat({ results }: ConformanceReport, status: RuleResult['status']): string[] {
  return results
    .filter((result) => result.status === status)
    .map(({ rule }) => rule)
    .sort();
}
