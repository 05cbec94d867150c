import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { afterAll } from 'vitest';

const modules = join(root, 'packages', 'system-tests', 'node_modules');

/** The committed OpenAPI document and workflows. */
export const openApiPath = fileURLToPath(import.meta.resolve('@memory-read/contract/openapi.json'));
export const arazzoPath = fileURLToPath(import.meta.resolve('@memory-read/contract/arazzo.yaml'));

/** Environment in which tools print no colours, check for no updates and send no usage statistics. */
export const quietEnvironment = {
  FORCE_COLOR: '0',
  NO_COLOR: '1',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
};

/** Creates a project in an empty folder, with the packages of this one. */
export function toolFolder(): string {
  const folder = makeFolder(afterAll);
  symlinkSync(modules, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  return folder;
}

/** Runs the command of an installed third-party package, like `npx`, and returns its output. */
export function runTool(name: string, words: readonly string[], cwd: string, environment: Record<string, string> = {}) {
  const env = { ...process.env, ...quietEnvironment, ...environment };
  return new Promise<{ exitCode: unknown; output: string }>((resolve) => {
    execFile(process.execPath, [toolPath(name), ...words], { cwd, env }, (error, stdout, stderr) => {
      resolve({ exitCode: error ? (error.code ?? null) : 0, output: stdout + stderr });
    });
  });
}

/** Returns the script of the command of a package. */
export function toolPath(name: string): string {
  const { bin } = manifestOf(name);
  const [script] = typeof bin === 'string' ? [bin] : Object.values(bin);
  if (script === undefined) throw new Error(`Failed to run ${name}: it has no command. Name another package.`);
  return join(modules, name, script);
}

/** The version that is installed. */
export function toolVersion(name: string): string {
  return manifestOf(name).version;
}

function manifestOf(name: string): { version: string; bin: string | Record<string, string> } {
  return JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));
}
