import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { findNode24, findRuntime } from '../runtimes/find-runtime.ts';
import { runWorker } from '../runtimes/run-driver.ts';
import { createConsumer } from './create-consumer.ts';
import { run } from './run.ts';
import { smokeReport } from './smoke-report.ts';

const node24 = findNode24();
const bun = findRuntime('bun');
const deno = findRuntime('deno');
const workerd = findRuntime('workerd');
const denoOptions = ['run', '--no-prompt', '--no-config', '--node-modules-dir=manual', '--allow-env'];
const minutes = 60_000;

const consumer = createConsumer();
for (const file of ['smoke.mjs', 'smoke-main.mjs', 'smoke-worker.mjs']) consumer.add(file);

test.runIf(node24.path)(
  `ESM and CommonJS projects work with the packed packages on Node ${node24.version}, and stores follow their rules`,
  () => {
    expect(runHere(node24.path, '--version').trim()).toBe(`v${node24.version}`);
    expect(runHere(node24.path, consumer.add('consumer.mjs'))).toContain('esm works');
    expect(runHere(node24.path, consumer.add('consumer.cjs'))).toContain('cjs works');
    expect(runHere(node24.path, consumer.add('store-suites.mjs'))).toMatch(/^[1-9]\d+ cases passed$/m);
  },
  3 * minutes,
);

test.runIf(bun.path)(`the packed packages list, read and fail as expected on Bun ${bun.version}`, () => {
  expect(JSON.parse(runHere(bun.path, 'smoke-main.mjs'))).toEqual(smokeReport);
});

test.runIf(deno.path)(`the packed packages list, read and fail as expected on Deno ${deno.version}`, () => {
  expect(JSON.parse(runHere(deno.path, ...denoOptions, 'smoke-main.mjs'))).toEqual(smokeReport);
});

test.runIf(workerd.path)(
  `a bundle of the packed packages lists, reads and fails as expected on workerd ${workerd.version}`,
  async () => {
    await build({
      entryPoints: ['smoke-worker.mjs'],
      absWorkingDir: consumer.folder,
      outfile: 'worker.mjs',
      bundle: true,
      format: 'esm',
      target: 'es2022',
      conditions: ['workerd'],
    });
    // The worker also imports this module, which only the other tests need.
    consumer.write('second-copy.mjs', '');
    const { report } = await runWorker<unknown>(workerd.path ?? '', consumer.folder, null);
    expect(report).toEqual(smokeReport);
  },
);

function runHere(path = '', ...args: string[]): string {
  const env = { HOME: consumer.folder, NO_COLOR: '1', DO_NOT_TRACK: '1', DENO_NO_UPDATE_CHECK: '1' };
  return run(path, args, { cwd: consumer.folder, env });
}
