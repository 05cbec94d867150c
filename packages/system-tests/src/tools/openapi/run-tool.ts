import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../repository.ts';

/** How a tool ended, and everything that it printed. */
export interface ToolResult {
  exitCode: number | string | null;
  output: string;
}

export interface ToolOptions {
  cwd: string;
  env?: Record<string, string> | undefined;
}

/** No tool colours its output, asks for a newer release of itself or tells that it was used. */
export const quietEnvironment = {
  FORCE_COLOR: '0',
  NO_COLOR: '1',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
};

/** Runs the command of an installed package of others, as `npx` would. */
export function runTool(name: string, words: readonly string[], options: ToolOptions): Promise<ToolResult> {
  const env = { ...process.env, ...quietEnvironment, ...options.env };
  return new Promise((resolve) => {
    execFile(process.execPath, [toolPath(name), ...words], { ...options, env }, (error, stdout, stderr) => {
      resolve({ exitCode: error ? (error.code ?? null) : 0, output: stdout + stderr });
    });
  });
}

/** The script behind the command of a package. */
export function toolPath(name: string): string {
  const { bin } = manifestOf(name);
  const [script] = typeof bin === 'string' ? [bin] : Object.values(bin);
  if (script === undefined) throw new Error(`Failed to run ${name}: because it has no command. Name another package.`);
  return join(folderOf(name), script);
}

/** The version that is installed. */
export function toolVersion(name: string): string {
  return manifestOf(name).version;
}

function manifestOf(name: string): { version: string; bin: string | Record<string, string> } {
  return JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8'));
}

function folderOf(name: string): string {
  return join(root, 'packages', 'system-tests', 'node_modules', name);
}
