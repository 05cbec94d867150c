import { edgeCases } from '@memory-read/fixtures';
import { expect, test } from 'vitest';
import { changeNamed } from '../conformance/mutants/all-mutants.ts';
import type { Change } from '../conformance/raw-server/change.ts';
import { runKeys } from '../conformance/raw-server/memories.ts';
import { startRawServer } from '../conformance/raw-server/start-raw-server.ts';
import { mock } from './documents.ts';
import { runWorkflows } from './run-workflows.ts';

test('the reference server passes every step of the workflows', async () => {
  const other = mock.accounts.add();
  mock.memories.add({}, { userId: other.userId });
  const inputs = {
    apiKey: mock.apiKey,
    otherApiKey: other.apiKey,
    processedMemoryId: edgeCases.unicodeText.id,
    processingMemoryId: edgeCases.processing.id,
  };
  const steps = await runWorkflows(mock.baseUrl, inputs, mock.fetch);
  expect(steps.filter(({ unmet }) => unmet.length > 0)).toEqual([]);
  expect(steps).toHaveLength(14);
  expect(steps.find(({ stepId }) => stepId === 'get-malformed')?.status).toBe(422);
});

test.each<[string, Change, string[]]>([
  ['every memory has an id', {}, []],
  ['no memory has a transcript', changeNamed('no memory has a transcript'), ['get-processed']],
  ['X-API-Key is not accepted', changeNamed('X-API-Key is not accepted'), ['get-with-header']],
  [
    'a missing key is called invalid',
    changeNamed('a missing key is called invalid'),
    ['list-without-key', 'get-without-key'],
  ],
  ['another account’s memory is forbidden', changeNamed('another account’s memory is forbidden'), ['get-of-other']],
])('where %s, a server written from the specification alone fails in no other step', async (_name, change, failed) => {
  await using server = await startRawServer(change);
  const steps = await runWorkflows(server.url, {
    apiKey: runKeys.apiKey ?? '',
    otherApiKey: runKeys.otherAccountApiKey ?? '',
    processedMemoryId: 'mem_100004',
    processingMemoryId: 'mem_100005',
  });
  expect(steps.filter(({ unmet }) => unmet.length > 0).map(({ stepId }) => stepId)).toEqual(failed);
});
