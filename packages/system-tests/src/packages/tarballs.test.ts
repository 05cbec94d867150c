import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { afterAll, expect, test } from 'vitest';
import { publishedPackages, tarballOf } from './packed-packages.ts';
import { linksOf } from './stage-documents.ts';

/** Further files of each package, listed by hand. */
const topLevel: Record<string, readonly string[]> = {
  contract: ['arazzo.yaml', 'openapi.json'],
  fixtures: ['media'],
  server: ['SECURITY.md'],
};
/** SQLite of older versions of Node has no FTS5. */
const needsFullTextSearch = ['cli', 'mirror'];
const ofEvery = ['LICENSE', 'README.md', 'dist', 'docs', 'package.json'];

const folder = makeFolder(afterAll);
for (const name of publishedPackages) {
  mkdirSync(join(folder, name));
  execFileSync('tar', ['-xzf', tarballOf(name), '--strip-components=1', '-C', join(folder, name)]);
}

test.each(publishedPackages)(
  'the top folder of the tarball of %s contains the listed files, and a changelog if there is one',
  (name) => {
    const changelog = existsSync(join(root, 'packages', name, 'CHANGELOG.md')) ? ['CHANGELOG.md'] : [];
    const expected = [...ofEvery, ...changelog, ...(topLevel[name] ?? [])].sort();
    expect(readdirSync(join(folder, name)).sort()).toEqual(expected);
  },
);

test.each(publishedPackages)(
  'the tarball of %s contains no test and no source, and dist contains only code, maps and types',
  (name) => {
    const files = globSync('dist/**/*', { cwd: join(folder, name), withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files.length).toBeGreaterThan(1);
    expect(files.map((entry) => entry.name).filter((file) => !/\.(js|js\.map|d\.ts)$/.test(file))).toEqual([]);
  },
);

test.each(publishedPackages)(
  'no document in the tarball of %s has a broken link, and its README has no link to a file',
  (name) => {
    const documents = globSync('**/*.md', { cwd: join(folder, name) });
    expect(documents.length).toBeGreaterThan(2);
    const dead = documents.flatMap((document) => {
      const text = readFileSync(join(folder, name, document), 'utf8');
      const links = linksOf(text).map((target) => target.replace(/#.*/, ''));
      const isDead = (target: string) => !existsSync(join(folder, name, dirname(document), target));
      return (document === 'README.md' ? links : links.filter(isDead)).map((target) => `${document}: ${target}`);
    });
    expect(dead).toEqual([]);
  },
);

test.each(publishedPackages)('the README of %s names the documents of its tarball by their paths', (name) => {
  const readme = readFileSync(join(folder, name, 'README.md'), 'utf8');
  const named = Array.from(readme.matchAll(/`(docs\/[^`]+\.md)`/g), ([, path = '']) => path);
  expect(named).toEqual(expect.arrayContaining(['docs/specification.md', expect.stringMatching(/^docs\/guides\//)]));
  expect(named.filter((path) => !existsSync(join(folder, name, path)))).toEqual([]);
});

test.each(publishedPackages)('the README of %s agrees with its manifest', (name) => {
  const manifest = readFileSync(join(folder, name, 'package.json'), 'utf8');
  const { engines, dependencies, peerDependencies, license } = JSON.parse(manifest);
  const readme = readFileSync(join(folder, name, 'README.md'), 'utf8');
  const [, runsOn = '', dependsOn = '', licence] =
    /^\| (Node .+) \| ES modules.* \| (.+) \| (.+) \|$/m.exec(readme) ?? [];
  expect(`>=${/^Node ([\d.]+) or newer/.exec(runsOn)?.[1]}`).toBe(engines.node);
  const named = Array.from(dependsOn.matchAll(/`([^`]+)`/g), ([, dependency]) => dependency);
  expect(named.sort()).toEqual(Object.keys({ ...dependencies, ...peerDependencies }).sort());
  expect(licence).toBe(license);
});

test.each(publishedPackages)(
  'the manifest of the packed %s contains nothing that only this repository needs',
  (name) => {
    const manifest = readFileSync(join(folder, name, 'package.json'), 'utf8');
    expect(manifest).not.toMatch(/workspace:|catalog:|@memory-read\/source|"scripts"|"devDependencies"/);
    const { files, keywords } = JSON.parse(manifest);
    expect([...files, 'package.json'].sort()).toEqual(readdirSync(join(folder, name)).sort());
    expect(keywords).toEqual(expect.arrayContaining(['memory-read', 'transcripts']));
    expect(new Set(keywords).size).toBeGreaterThanOrEqual(8);
    expect(keywords).toEqual([...new Set(keywords)]);
    expect(JSON.parse(manifest)).toMatchObject({
      license: 'MIT',
      type: 'module',
      engines: { node: needsFullTextSearch.includes(name) ? '>=22.16' : '>=22.13' },
    });
  },
);
