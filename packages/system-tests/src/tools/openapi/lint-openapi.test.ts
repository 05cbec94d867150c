import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildOpenApiDocument } from '@memory-read/contract/openapi';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runTool, type ToolResult } from './run-tool.ts';

const committed = fileURLToPath(import.meta.resolve('@memory-read/contract/openapi.json'));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openapi-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('Redocly finds nothing to say about the document', async () => {
  const { exitCode, output } = await lintWithRedocly(committed);
  expect(output).toContain('Your API description is valid');
  expect(output).not.toMatch(/\d+ (warning|error)/);
  expect(exitCode).toBe(0);
});

test('Spectral finds nothing to say about the document', async () => {
  const { exitCode, output } = await lintWithSpectral(committed);
  expect(output).toContain('No results');
  expect(exitCode).toBe(0);
});

test('Redocly finds nothing to say about the workflows', async () => {
  const workflows = fileURLToPath(import.meta.resolve('@memory-read/contract/arazzo.yaml'));
  const { exitCode, output } = await lintWithRedocly(workflows);
  expect(output).toContain('Your API description is valid');
  expect(output).not.toMatch(/\d+ (warning|error)/);
  expect(exitCode).toBe(0);
});

test('both linters hold the examples against the schemas', async () => {
  const broken = await writeDocument('broken-example.json', (document) =>
    document.replace('"is_processing": true', '"is_processing": "yes"'),
  );
  for (const { exitCode, output } of [await lintWithRedocly(broken), await lintWithSpectral(broken)]) {
    expect(output).toContain('is_processing');
    expect(exitCode).toBe(1);
  }
});

test('both linters accept null in the place of a nullable object, and nothing else', async () => {
  const broken = await writeDocument('broken-object.json', (document) =>
    document.replace('"summary": null', '"summary": "none"'),
  );
  for (const { exitCode, output } of [await lintWithRedocly(broken), await lintWithSpectral(broken)]) {
    expect(output).toMatch(/must be object,? ?(or )?null/);
    expect(exitCode).toBe(1);
  }
});

function lintWithRedocly(document: string): Promise<ToolResult> {
  return runTool('@redocly/cli', ['lint', '--config', configuration('redocly.yaml'), document], { cwd: folder });
}

function lintWithSpectral(document: string): Promise<ToolResult> {
  const words = ['lint', '-F', 'hint', '-r', configuration('spectral.yaml'), document];
  return runTool('@stoplight/spectral-cli', words, { cwd: folder });
}

function configuration(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

async function writeDocument(name: string, change: (document: string) => string): Promise<string> {
  const path = join(folder, name);
  const document = JSON.stringify(buildOpenApiDocument({ serverUrl: 'https://api.example.org' }), null, 2);
  await writeFile(path, change(document));
  return path;
}
