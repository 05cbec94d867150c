import { MirrorError, type MirrorErrorCode } from '@memory-read/mirror';
import { expect, test } from 'vitest';
import { explainMirrorError } from './explain-mirror-error.ts';

const locked = Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 });
const denied = Object.assign(new Error('Access to this API has been restricted'), { code: 'ERR_ACCESS_DENIED' });

test.each<[MirrorErrorCode, unknown, string]>([
  ['busy', undefined, 'another memory-read is using it. Wait until it has finished, then run the command again.'],
  ['busy', locked, 'another program has locked it. Close it, then run the command again.'],
  // What a checkpoint of SQLite returns beside a reader.
  [
    'busy',
    { busy: 1, log: 9, checkpointed: 2 },
    'another program has locked it. Close it, then run the command again.',
  ],
  ['unsupported_disk', locked, 'SQLite cannot lock files there. Keep the mirror on a local disk, and export to the'],
  ['storage', denied, 'the permission model of Node.js forbids it. Allow the folder with --allow-fs-read and'],
])('%s with the cause %o says what to do', (code, cause, problem) => {
  const message = expect.stringContaining(`Failed to use "m": ${problem}`);
  expect(explainMirrorError('m', new MirrorError(code, 'Failed.', { cause }))).toMatchObject({ message, exitCode: 1 });
});
