import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';

test.each(['v14.21.3', 'v20.20.2', 'v22.15.1'])(
  'on Node %s, names the required version and loads nothing',
  (version) => {
    const { stderr, exitCode } = runMain(version);
    expect(stderr).toBe(
      `Failed to start memory-read: this is Node ${version}, but 22.16 or newer is required. Install it from https://nodejs.org and run the command again.\n`,
    );
    expect(exitCode).toBe(1);
  },
);

test.each(['v22.16.0', 'v24.0.0', 'v100.0.0'])('starts on Node %s', (version) => {
  expect(runMain(version)).toMatchObject({ stderr: '', exitCode: undefined });
});

test('hides only the warning of node:sqlite', () => {
  const { process, warnings } = runMain('v22.16.0');
  process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning');
  process.emitWarning('Something else', 'ExperimentalWarning');
  expect(warnings).toEqual([['Something else', 'ExperimentalWarning']]);
});

test.each(['v14.21.3', 'v22.16.0'])('on Node %s, ends on a signal until a command listens for it', (version) => {
  const { process, exited } = runMain(version);
  const command = () => {};
  process.on('SIGTERM', command).emit('SIGTERM');
  expect(exited).toEqual([]);
  process.off('SIGTERM', command);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.emit(signal);
  expect(exited).toEqual([143, 130, 129]);
});

function runMain(version: string) {
  const source = readFileSync(new URL('./main.ts', import.meta.url), 'utf8').replaceAll('import(', 'load(');
  const warnings: unknown[] = [];
  const run = { stderr: '', exitCode: undefined as number | undefined };
  const exited: number[] = [];
  const process = Object.assign(new EventEmitter(), {
    exit: (code: number) => exited.push(code),
    version,
    versions: { node: version.slice(1) },
    argv: [],
    stderr: { write: (text: string) => (run.stderr += text) },
    emitWarning: (...warning: unknown[]) => warnings.push(warning),
  });
  Object.defineProperty(process, 'exitCode', { set: (code: number) => (run.exitCode = code) });
  runInNewContext(stripTypeScriptTypes(source), { process, load: () => new Promise(() => {}) });
  return { ...run, process, warnings, exited };
}
