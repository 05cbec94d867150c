import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';

test.each(['v14.21.3', 'v20.20.2', 'v22.12.0'])(
  'on Node %s it says which one it needs and loads nothing',
  (version) => {
    const { stderr, exitCode } = runMain(version);
    expect(stderr).toBe(
      `Failed to start memory-read: because it needs Node 22.13 or newer and this is ${version}. Install a newer one from https://nodejs.org and run the command again.\n`,
    );
    expect(exitCode).toBe(1);
  },
);

test.each(['v22.13.0', 'v24.0.0', 'v100.0.0'])('on Node %s it starts', (version) => {
  expect(runMain(version)).toMatchObject({ stderr: '', exitCode: undefined });
});

function runMain(version: string): { stderr: string; exitCode: number | undefined } {
  const source = readFileSync(new URL('./main.ts', import.meta.url), 'utf8').replace('import(', 'load(');
  const run = { stderr: '', exitCode: undefined };
  const process = {
    version,
    versions: { node: version.slice(1) },
    argv: [],
    stderr: { write: (text: string) => (run.stderr += text) },
    set exitCode(code: undefined) {
      run.exitCode = code;
    },
  };
  runInNewContext(stripTypeScriptTypes(source), { process, load: () => new Promise(() => {}) });
  return run;
}
