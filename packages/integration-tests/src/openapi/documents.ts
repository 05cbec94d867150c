import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { edgeCases } from '@memory-read/fixtures';
import { createMemoryMock } from '@memory-read/msw';
import { root } from '@memory-read/test-kit/repository';

/** The published descriptions of the API, as text. */
export const openApiText = readPublished('openapi.json');
export const arazzoText = readPublished('arazzo.yaml');

/** The server, in this process, with every edge case. Its clock stands, so that two responses for one memory are equal. */
export const mock = createMemoryMock({ now: '2026-03-02T00:00:00Z', memories: Object.values(edgeCases) });

function readPublished(name: string): string {
  return readFileSync(join(root, 'packages/contract', name), 'utf8');
}
