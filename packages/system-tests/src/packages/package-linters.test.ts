import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { expect, test } from 'vitest';
import { publishedPackages, tarballOf } from './packed-packages.ts';

test.each(publishedPackages)('publint finds no problem in the packed %s', async (name) => {
  const { buffer } = new Uint8Array(readFileSync(tarballOf(name)));
  expect((await publint({ pack: { tarball: buffer }, strict: true })).messages).toEqual([]);
});

// The cli has no entry with types.
test.each(publishedPackages.filter((name) => name !== 'cli'))(
  'the types of the packed %s are correct for every importer',
  async (name) => {
    const tarball = createPackageFromTarballData(new Uint8Array(readFileSync(tarballOf(name))));
    const result = await checkPackage(tarball, { excludeEntrypoints: ['./openapi.json', './arazzo.yaml'] });
    expect(result.types && result.problems.filter(isForModules)).toEqual([]);
  },
);

/** Since Node 22.12, CommonJS can require ES modules. */
function isForModules({ kind }: Problem): boolean {
  return kind !== 'CJSResolvesToESM';
}
