import { runMain } from '@memory-read/test-kit/run-main';
import { expect, test } from 'vitest';

const main = new URL('./main.ts', import.meta.url);

test.each(['v14.21.3', 'v20.20.2', 'v22.15.1'])(
  'on Node %s, names the required version and loads nothing',
  (version) => {
    const { stderr, exitCode, loaded } = runMain(main, version);
    expect(loaded).toEqual([]);
    expect(stderr).toBe(
      `Failed to start memory-read: this is Node ${version}, but 22.16 or newer is required. Install it from https://nodejs.org and run the command again.\n`,
    );
    expect(exitCode).toBe(1);
  },
);

test.each(['v22.16.0', 'v24.0.0', 'v100.0.0'])('starts on Node %s', (version) => {
  expect(runMain(main, version)).toMatchObject({ stderr: '', exitCode: undefined });
});

test('hides only the warning of node:sqlite', () => {
  const { process, warnings } = runMain(main, 'v22.16.0');
  process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning');
  process.emitWarning('Something else', 'ExperimentalWarning');
  expect(warnings).toEqual([['Something else', 'ExperimentalWarning']]);
});

test.each(['v14.21.3', 'v22.16.0'])('on Node %s, ends on a signal until a command listens for it', (version) => {
  const { process, exited } = runMain(main, version);
  const command = () => {};
  process.on('SIGTERM', command).emit('SIGTERM');
  expect(exited).toEqual([]);
  process.off('SIGTERM', command);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.emit(signal);
  expect(exited).toEqual([143, 130, 129]);
});
