import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildOpenApiDocument } from '@memory-read/contract/openapi';
import { afterAll, beforeAll, expect, test } from 'vitest';

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

interface LintResult {
  exitCode: number | string | null;
  output: string;
}

function lintWithRedocly(document: string): Promise<LintResult> {
  return runTool('@redocly/cli/bin/cli.js', ['lint', '--config', configuration('redocly.yaml'), document]);
}

function lintWithSpectral(document: string): Promise<LintResult> {
  const ruleset = configuration('spectral.yaml');
  return runTool('@stoplight/spectral-cli/dist/index.js', ['lint', '-F', 'hint', '-r', ruleset, document]);
}

function runTool(script: string, words: string[]): Promise<LintResult> {
  const path = fileURLToPath(new URL(`../../node_modules/${script}`, import.meta.url));
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', FORCE_COLOR: '0' };
  return new Promise((resolve) => {
    execFile(process.execPath, [path, ...words], { env, cwd: folder }, (error, stdout, stderr) => {
      resolve({ exitCode: error ? (error.code ?? null) : 0, output: stdout + stderr });
    });
  });
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
