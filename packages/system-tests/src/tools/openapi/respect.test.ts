import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Change } from '../../conformance/raw-server/change.ts';
import { runKeys } from '../../conformance/raw-server/memories.ts';
import { startRawServer } from '../../conformance/raw-server/start-raw-server.ts';
import { changeNamed } from './change-named.ts';
import { runTool } from './run-tool.ts';
import { startEdgeCaseServer } from './start-edge-case-server.ts';

const workflows = fileURLToPath(import.meta.resolve('@memory-read/contract/arazzo.yaml'));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'respect-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('the reference server does every step of the workflows, and a malformed id is a 422', async () => {
  const server = await startEdgeCaseServer();
  try {
    const { exitCode, steps } = await respect(server.url, {
      apiKey: server.apiKey,
      otherApiKey: server.otherApiKey,
      processedMemoryId: 'mem_edge_unicodeText',
      processingMemoryId: 'mem_edge_processing',
    });
    expect(failedChecks(steps)).toEqual([]);
    expect(exitCode).toBe(0);
    expect(steps).toHaveLength(14);
    expect(steps.find(({ stepId }) => stepId === 'get-malformed')?.response.statusCode).toBe(422);
  } finally {
    await server.close();
  }
});

test('a server that is written from the specification alone does every step of the workflows', async () => {
  const { exitCode, failed } = await respectRawServer();
  expect(failed).toEqual([]);
  expect(exitCode).toBe(0);
});

test.each([
  {
    name: 'name is absent',
    red: [
      'list: schema check',
      'get-processed: schema check',
      'get-processing: schema check',
      'list-of-other: schema check',
    ],
  },
  { name: 'summary is left out where it is null', red: ['list: schema check', 'get-processing: schema check'] },
  { name: 'started_at is "2026-03-01 08:00"', red: ['get-processed: ^\\d{4}-\\d{2}-\\d{2}T'] },
  { name: 'no memory has a transcript', red: ['get-processed: $response.body#/transcript != null'] },
  {
    name: 'X-API-Key is not accepted',
    red: ['get-with-header: $statusCode == 200', 'get-with-header: $response.body#/id == $steps.list.outputs.id'],
  },
  { name: 'a missing key is called invalid', red: ["list-without-key: $response.body#/detail == 'Missing API key'"] },
  {
    name: 'a memory that nobody has is told in other words',
    red: ["get-unknown: $response.body#/detail == 'Memory not found'"],
  },
  {
    name: 'another account’s memory is forbidden',
    red: [
      'get-of-other: $statusCode == 404',
      "get-of-other: $response.body#/detail == 'Memory not found'",
      'get-of-other: status code check',
    ],
  },
])('where $name, exactly these checks are red: $red', async ({ name, red }) => {
  const { exitCode, failed } = await respectRawServer(changeNamed(name));
  expect(failed).toEqual(red);
  expect(exitCode).toBe(1);
});

test('respect does not see that a URL is none, as the guide says', async () => {
  const { exitCode, failed } = await respectRawServer(changeNamed('audio_url is "audio.wav"'));
  expect(failed).toEqual([]);
  expect(exitCode).toBe(0);
});

interface Step {
  stepId: string;
  response: { statusCode: number };
  checks: { name: string; passed: boolean; condition?: string }[];
}

async function respectRawServer(change?: Change) {
  await using server = await startRawServer(change);
  const { exitCode, steps } = await respect(server.url, {
    apiKey: runKeys.apiKey,
    otherApiKey: runKeys.otherAccountApiKey,
    processedMemoryId: 'mem_100004',
    processingMemoryId: 'mem_100005',
  });
  return { exitCode, failed: failedChecks(steps) };
}

async function respect(url: string, inputs: Record<string, string>) {
  const report = join(folder, 'report.json');
  await rm(report, { force: true });
  const { exitCode } = await runTool(
    '@redocly/cli',
    ['respect', workflows, '--server', `memory-read-api=${url}`, '--json-output', report],
    { cwd: folder, env: { REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(inputs) } },
  );
  const text = await readFile(report, 'utf8');
  for (const key of [inputs.apiKey, inputs.otherApiKey]) expect(text.includes(key ?? '')).toBe(false);
  const { files } = JSON.parse(text) as {
    files: Record<string, { executedWorkflows: { executedSteps: Step[] }[] }>;
  };
  const steps = Object.values(files).flatMap((file) => file.executedWorkflows.flatMap((each) => each.executedSteps));
  return { exitCode, steps };
}

function failedChecks(steps: readonly Step[]): string[] {
  return steps.flatMap(({ stepId, checks }) =>
    checks.filter(({ passed }) => !passed).map(({ name, condition }) => `${stepId}: ${condition ?? name}`),
  );
}
