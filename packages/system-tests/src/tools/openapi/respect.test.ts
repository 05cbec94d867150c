import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { changeNamed } from '@memory-read/integration-tests/conformance/mutants/all-mutants';
import type { Change } from '@memory-read/integration-tests/conformance/raw-server/change';
import { runKeys } from '@memory-read/integration-tests/conformance/raw-server/memories';
import { startRawServer } from '@memory-read/integration-tests/conformance/raw-server/start-raw-server';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { arazzoPath, runTool } from './run-tool.ts';
import { startEdgeCaseServer } from './start-edge-case-server.ts';

const folder = makeFolder(afterAll);

test('the reference server passes every step of the workflows, and a malformed id is a 422', async () => {
  const server = await startEdgeCaseServer();
  onTestFinished(() => server.close());
  const { exitCode, failed, steps } = await respect(server.url, {
    apiKey: server.apiKey,
    otherApiKey: server.otherApiKey,
    processedMemoryId: 'mem_edge_unicodeText',
    processingMemoryId: 'mem_edge_processing',
  });
  expect({ exitCode, failed }).toEqual({ exitCode: 0, failed: [] });
  expect(steps).toHaveLength(14);
  expect(steps.find(({ stepId }) => stepId === 'get-malformed')?.response.statusCode).toBe(422);
});

test('a server that is written from the specification alone passes every step of the workflows', async () => {
  expect(await respectRawServer()).toMatchObject({ exitCode: 0, failed: [] });
});

test.each(
  Object.entries({
    'name is absent': [
      'list: schema check',
      'get-processed: schema check',
      'get-processing: schema check',
      'list-of-other: schema check',
    ],
    'summary is left out where it is null': ['list: schema check', 'get-processing: schema check'],
    'started_at is "2026-03-01 08:00"': ['get-processed: ^\\d{4}-\\d{2}-\\d{2}T'],
    'no memory has a transcript': ['get-processed: $response.body#/transcript != null'],
    'X-API-Key is not accepted': [
      'get-with-header: $statusCode == 200',
      'get-with-header: $response.body#/id == $steps.list.outputs.id',
    ],
    'a missing key is called invalid': ["list-without-key: $response.body#/detail == 'Missing API key'"],
    'a memory that nobody has is told in other words': ["get-unknown: $response.body#/detail == 'Memory not found'"],
    'another account’s memory is forbidden': [
      'get-of-other: $statusCode == 404',
      "get-of-other: $response.body#/detail == 'Memory not found'",
      'get-of-other: status code check',
    ],
    // The guide says that Respect does not detect this.
    'audio_url is "audio.wav"': [],
  }),
)('where %s, exactly these checks fail: %j', async (name, red) => {
  const { exitCode, failed } = await respectRawServer(changeNamed(name));
  expect(failed).toEqual(red);
  expect(exitCode).toBe(red.length === 0 ? 0 : 1);
});

interface Step {
  stepId: string;
  response: { statusCode: number };
  checks: { name: string; passed: boolean; condition?: string }[];
}

interface Report {
  files: Record<string, { executedWorkflows: { executedSteps: Step[] }[] }>;
}

async function respectRawServer(change?: Change) {
  await using server = await startRawServer(change);
  return await respect(server.url, {
    apiKey: runKeys.apiKey,
    otherApiKey: runKeys.otherAccountApiKey,
    processedMemoryId: 'mem_100004',
    processingMemoryId: 'mem_100005',
  });
}

async function respect(url: string, inputs: Record<string, string>) {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const words = ['respect', arazzoPath, '--server', `memory-read-api=${url}`, '--json-output', report];
  const environment = { REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(inputs) };
  const { exitCode } = await runTool('@redocly/cli', words, folder, environment);
  const text = readFileSync(report, 'utf8');
  for (const key of [inputs.apiKey, inputs.otherApiKey]) expect(text.includes(key ?? '')).toBe(false);
  const { files }: Report = JSON.parse(text);
  const steps = Object.values(files).flatMap((file) => file.executedWorkflows.flatMap((each) => each.executedSteps));
  const failed = steps.flatMap(({ stepId, checks }) =>
    checks.filter(({ passed }) => !passed).map(({ name, condition }) => `${stepId}: ${condition ?? name}`),
  );
  return { exitCode, steps, failed };
}
