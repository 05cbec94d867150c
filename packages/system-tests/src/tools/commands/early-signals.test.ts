import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { missingNamespaces, startFirstProcess } from '@memory-read/test-kit/first-process';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { expect, test } from 'vitest';

test.skipIf(missingNamespaces()).each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)(
  'as the first process, the script of npm start ends an installation on %s with %i',
  async (signal, code) => {
    const folder = makeFolder();
    for (const name of ['scripts', 'package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', '.pnpmfile.cjs', '.npmrc'])
      cpSync(join(root, name), join(folder, name), { recursive: true });
    writeFileSync(join(folder, 'npm'), '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
    const command = [process.execPath, join(folder, 'scripts', 'run.mjs'), 'serve', 'true'];
    const running = startFirstProcess(command, { cwd: folder, env });
    await new Promise<void>((resolve) => {
      for (const stream of [running.child.stdout, running.child.stderr])
        stream.on('data', (chunk) => `${chunk}`.includes('Installing') && resolve());
    });
    running.kill(signal);
    expect(await running.ended).toBe(code);
  },
);
