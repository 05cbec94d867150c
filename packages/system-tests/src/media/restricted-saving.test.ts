import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { expect, test } from 'vitest';
import { findNode24, findRuntime } from '../runtimes/find-runtime.ts';

const script = join(root, 'packages/client/src/testing/save-process.ts');
const node = (folder: string) => ['--permission', '--allow-fs-read=*', `--allow-fs-write=${folder}`];
// Without --allow-sys, Deno does not reveal the user.
const deno = (folder: string) => [
  ...['run', '--no-prompt', '--no-config', '--node-modules-dir=manual', `--allow-read=${root},${folder}`],
  `--allow-write=${folder}`,
];
const runtimes = [
  { name: 'Node', path: process.execPath, permit: node },
  { name: 'Node 24', path: findNode24().path, permit: node },
  { name: 'Deno', path: findRuntime('deno').path, permit: deno },
];

function run(path: string, permissions: string[], target: string): unknown {
  const { NODE_COMPILE_CACHE: _, ...others } = process.env;
  const env = { ...others, DENO_DIR: makeFolder(), DENO_NO_UPDATE_CHECK: '1' };
  const words = [...permissions, '--conditions=@memory-read/source', script, target];
  return JSON.parse(execFileSync(path, words, { cwd: root, env, encoding: 'utf8' }));
}

for (const { name, path, permit } of runtimes) {
  test.runIf(path)(`with the permissions of ${name} for one folder, a file is saved, resumed and replaced`, () => {
    const folder = makeFolder();
    const target = join(folder, 'a.wav');
    const saved = { path: target, contentType: 'audio/wav', size: 20_000 };
    expect(run(path ?? '', permit(folder), target)).toEqual([
      expect.stringMatching(/^MediaDownloadError: .* answered 451\./),
      { ...saved, resumedFrom: 5_000 },
      { ...saved, resumedFrom: 0 },
    ]);
    expect(readdirSync(folder)).toEqual(['a.wav']);
  });

  test.runIf(path)(`without the permissions of ${name} for a folder, the message says which to give`, () => {
    const target = join(makeFolder(), 'a.wav');
    const refusal = expect.stringMatching(
      /^Error: Failed to save media to ".+": the permission.+ forbids? it \(\w+\)\. Allow the folder with --allow-(fs-)?read and --allow-(fs-)?write\.$/,
    );
    expect(run(path ?? '', permit(makeFolder()), target)).toEqual([refusal, refusal, refusal]);
  });
}
