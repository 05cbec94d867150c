/**
 * Every published entry, listed by hand, because a change here affects users and needs a changeset: the limit for the
 * entry with all that it loads except MSW, in bytes, minified and compressed. The limits leave room for a few fields
 * and texts.
 */
export const sizeLimits: Record<string, number> = {
  '@memory-read/contract': 8_200,
  '@memory-read/contract/operations': 1_800,
  '@memory-read/contract/fields': 700,
  '@memory-read/contract/date-time': 1_400,
  '@memory-read/contract/event-loop': 500,
  '@memory-read/contract/openapi': 12_400,
  '@memory-read/contract/program': 500,
  '@memory-read/contract/redaction': 2_700,
  '@memory-read/client': 33_600,
  '@memory-read/client/functions': 33_100,
  '@memory-read/client/transcript': 4_800,
  '@memory-read/client/search': 7_200,
  '@memory-read/client/media-url': 1_000,
  '@memory-read/client/playback': 4_650,
  '@memory-read/client/query': 3_850,
  '@memory-read/client/node': 30_500,
  '@memory-read/server': 31_000,
  '@memory-read/server/sqlite': 16_200,
  '@memory-read/server/postgres': 17_500,
  '@memory-read/server/s3': 7_700,
  '@memory-read/server/node': 15_000,
  '@memory-read/server/testing': 18_000,
  '@memory-read/fixtures': 110_000,
  '@memory-read/msw': 150_000,
  '@memory-read/msw/node': 150_000,
  '@memory-read/msw/browser': 150_000,
  '@memory-read/msw/fetch': 150_000,
  '@memory-read/conformance': 28_000,
  '@memory-read/mirror': 67_500,
  '@memory-read/mcp': 131_700,
  '@memory-read/mcp/receipt': 8_500,
  '@memory-read/mcp/node': 114_500,
};
