import { chmodSync, cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { endOf } from '@memory-read/test-kit/start-process';
import { beforeEach, expect, test } from 'vitest';
import { startProxy } from '../../docs/recipes/start-proxy.ts';
import { integrityOf, packFiles, type ServedVersion, startRegistry } from '../../packages/release/start-registry.ts';
import { createCheckout, type FreshClone, type RunOptions, runIn } from './fresh-clone.ts';

const bin = { pnpm: 'bin/pnpm.cjs' };
const pinned = packPnpm('the pinned pnpm');
const other = packPnpm('another pnpm');
const refusal =
  'the registry serves pnpm@1.2.3 with another SHA-512 than package.json names, and nothing of it was run. ' +
  'Check the registry that "npm config get registry" prints.\n';
const served: ServedVersion = { name: 'pnpm', version: '1.2.3', tarball: pinned, manifest: { bin } };

let registry: Awaited<ReturnType<typeof startRegistry>>;
let checkout: FreshClone;
beforeEach(async () => {
  registry = await startRegistry();
  registry.serve(served);
  const packageManager = `pnpm@1.2.3+sha512.${Buffer.from(integrityOf(pinned).slice(7), 'base64').toString('hex')}`;
  checkout = createCheckout((folder) => {
    cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true });
    for (const path of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', '.pnpmfile.cjs'])
      writeFileSync(join(folder, path), '');
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, packageManager }));
    writeFileSync(join(folder, '.npmrc'), `registry=${registry.url}\n`);
  });
  return () => registry[Symbol.asyncDispose]();
});

test.each<[string, Partial<ServedVersion>, string]>([
  ['another file', {}, refusal],
  ['another file without an integrity', { dist: {} }, refusal],
  ['another file of another package', { manifest: { name: 'other', bin } }, refusal],
  ['another file of another version', { manifest: { version: '1.2.4', bin } }, refusal],
  ['another file with the integrity of the pinned one', { dist: { integrity: integrityOf(pinned) } }, 'EINTEGRITY'],
])(
  'a registry that serves %s as the pinned pnpm is refused, and nothing of it is run',
  async (_name, changes, message) => {
    registry.serve({ ...served, tarball: other, ...changes });
    for (const [script, ...words] of [
      ['pnpm.mjs', 'install'],
      ['run.mjs', 'serve'],
    ]) {
      const env = { npm_config_fetch_retries: '0' };
      const { code, stdout, stderr } = await run([`scripts/${script}`, ...words], { env });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(message);
      if (message === refusal) expect(stderr).toMatch(/^Failed to (run pnpm|install): the registry/m);
    }
    expect(readdirSync(join(checkout.folder, 'node_modules/.cache'))).toEqual([]);
    expect(readdirSync(checkout.home)).not.toContain('trace');
  },
);

test('the pinned pnpm gets the arguments, and a second run asks no registry', async () => {
  const works = { code: 0, stdout: 'the pinned pnpm ["add","a b"]\n', stderr: '' };
  expect(await run(['scripts/pnpm.mjs', 'add', 'a b'])).toEqual(works);
  registry.serve({ ...served, tarball: other });
  expect(await run(['scripts/pnpm.mjs', 'add', 'a b'], { offline: true })).toEqual(works);
  expect(existsSync(join(checkout.home, 'trace')), 'its install scripts did not run').toBe(false);
});

test('after a download that broke off, the next run works', async () => {
  const env = { npm_config_fetch_retries: '0' };
  registry.serve({ ...served, tarball: pinned.subarray(0, 100), dist: { integrity: integrityOf(pinned) } });
  expect(await run(['scripts/pnpm.mjs'], { env })).toMatchObject({ code: 1, stdout: '' });
  registry.serve(served);
  expect(await run(['scripts/pnpm.mjs'], { env })).toMatchObject({ code: 0, stdout: 'the pinned pnpm []\n' });
});

test('two that start at once both work, and leave one copy', async () => {
  const both = await Promise.all([run(['scripts/pnpm.mjs']), run(['scripts/pnpm.mjs'])]);
  expect(both.map(({ stdout }) => stdout)).toEqual(['the pinned pnpm []\n', 'the pinned pnpm []\n']);
  expect(readdirSync(join(checkout.folder, 'node_modules/.cache'))).toHaveLength(1);
});

test('a HOME that cannot be written is enough', async () => {
  chmodSync(checkout.home, 0o500);
  expect(await run(['scripts/pnpm.mjs'])).toMatchObject({ code: 0, stdout: 'the pinned pnpm []\n' });
});

test('a proxy that npm knows is used', async () => {
  await using proxy = await startProxy();
  const env = { npm_config_proxy: `http://${proxy.host}`, npm_config_noproxy: '' };
  expect(await run(['scripts/pnpm.mjs'], { env })).toMatchObject({ code: 0, stdout: 'the pinned pnpm []\n' });
  expect(proxy.asked).not.toEqual([]);
});

function run([script = '', ...words]: readonly string[], options?: RunOptions) {
  return endOf(runIn(checkout, ['node', script, ...words], options));
}

/** Returns the tarball of a pnpm that prints its name and its arguments, and whose installation would leave a trace. */
function packPnpm(name: string): Buffer {
  const scripts = { preinstall: 'echo > "$HOME/trace"' };
  return packFiles({
    'package.json': JSON.stringify({ name: 'pnpm', version: '1.2.3', bin, scripts }),
    'bin/pnpm.cjs': `#!/usr/bin/env node\nconsole.log(${JSON.stringify(name)}, JSON.stringify(process.argv.slice(2)));`,
  });
}
