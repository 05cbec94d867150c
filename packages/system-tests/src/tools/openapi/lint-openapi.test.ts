import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOpenApiDocument } from '@memory-read/contract/openapi';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { afterAll, expect, test } from 'vitest';
import { arazzoPath, openApiPath, runTool } from './run-tool.ts';

const folder = makeFolder(afterAll);

test.each([
  { what: 'document', path: openApiPath },
  { what: 'workflows', path: arazzoPath },
])('Redocly finds nothing to say about the $what', async ({ path }) => {
  const { exitCode, output } = await lintWithRedocly(path);
  expect(output).toContain('Your API description is valid');
  expect(output).not.toMatch(/\d+ (warning|error)/);
  expect(exitCode).toBe(0);
});

test('Spectral finds nothing to say about the document', async () => {
  const { exitCode, output } = await lintWithSpectral(openApiPath);
  expect(output).toContain('No results');
  expect(exitCode).toBe(0);
});

test.each([
  {
    title: 'hold the examples against the schemas',
    good: '"is_processing": true',
    bad: '"is_processing": "yes"',
    said: /is_processing/,
  },
  {
    title: 'accept null in the place of a nullable object, and nothing else',
    good: '"summary": null',
    bad: '"summary": "none"',
    said: /must be object,? ?(or )?null/,
  },
])('both linters $title', async ({ good, bad, said }) => {
  const path = join(folder, 'broken.json');
  const document = JSON.stringify(buildOpenApiDocument({ serverUrl: 'https://api.example.org' }), null, 2);
  writeFileSync(path, document.replace(good, bad));
  for (const lint of [lintWithRedocly, lintWithSpectral])
    expect(await lint(path)).toEqual({ exitCode: 1, output: expect.stringMatching(said) });
});

function lintWithRedocly(path: string) {
  return runTool('@redocly/cli', ['lint', '--config', join(import.meta.dirname, 'redocly.yaml'), path], folder);
}

function lintWithSpectral(path: string) {
  const words = ['lint', '-F', 'hint', '-r', join(import.meta.dirname, 'spectral.yaml'), path];
  return runTool('@stoplight/spectral-cli', words, folder);
}
